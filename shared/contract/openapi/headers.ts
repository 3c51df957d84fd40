import * as z from 'zod';
import type { oas31 } from 'zod-openapi';
import { limits } from '../../model/limits.ts';
import { headerPatterns } from '../headers.ts';

/** Headers of responses, as components of the document. */
export const headerComponents = {
  'X-Request-Id': { description: 'Id of this request.', schema: { type: 'string' } },
  'Retry-After': {
    description:
      'Seconds to wait before a retry (RFC 9110). With 409 only if the code is `request_in_progress`. ' +
      'Absent if API Gateway itself rejected the request.',
    schema: { type: 'integer', format: 'int32', minimum: 1 },
    example: 5,
  },
  'WWW-Authenticate': {
    description:
      'The accepted authentication schemes (RFC 9110). With 403 only if the code is `insufficient_scope`: the scope that ' +
      'the secret does not have (RFC 6750).',
    schema: { type: 'string' },
  },
  Link: {
    description: 'Link to the next page, if there is one: `<URL>; rel="next"` (RFC 8288).',
    schema: { type: 'string' },
  },
  Location: { description: 'URL of the resource (RFC 9110).', schema: { type: 'string' } },
  ETag: { description: 'The version of the resource (RFC 9110).', schema: { type: 'string' } },
  'Idempotency-Replayed': {
    description:
      '`true` if this is the stored response of an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
} satisfies Record<string, oas31.HeaderObject>;

/** A header of a response by its component; spread into the headers of the response. */
export const responseHeader = (name: keyof typeof headerComponents) => ({
  [name]: { $ref: `#/components/headers/${name}` },
});

const idempotencyHeaders = z.object({
  'Idempotency-Key': z
    .string()
    .regex(new RegExp(headerPatterns.idempotencyKey))
    .optional()
    .meta({
      description:
        'Makes retries safe: repeated within 24 hours with the same key and content, the request takes effect once and ' +
        'gets the same response. Use a random value, such as a UUID.',
      // With the quotes of a structured field.
      maxLength: limits.idempotencyKey.max + 2,
      example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
      param: { id: 'IdempotencyKey' },
    }),
});

/** Headers of requests: of those that change something, and of those for a resource with an ETag. */
export const requestHeaders = {
  idempotency: idempotencyHeaders,
  precondition: idempotencyHeaders.extend({
    'If-Match': z
      .string()
      .regex(new RegExp(headerPatterns.ifMatch))
      .optional()
      .meta({
        description:
          'The ETag of the version to change. If the resource has changed since, the response is 412.',
        // API Gateway admits no more in all headers together.
        maxLength: 10_240,
        example: '*',
        param: { id: 'IfMatch' },
      }),
  }),
  revalidation: z.object({
    'If-None-Match': z
      .string()
      .optional()
      .meta({
        description:
          'The ETag of the version that the client has. While it is current, the response is 304.',
        maxLength: 10_240,
        example: '"n4bQgYhMfWWaL-qgxVrQFa"',
        param: { id: 'IfNoneMatch' },
      }),
  }),
} as const;
