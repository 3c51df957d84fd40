import * as z from 'zod';
import {
  createDocument,
  type ZodOpenApiHeadersObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiResponseObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { type ErrorCode, errorCodes } from '../model/errors.ts';
import { type EventType, eventTypes } from '../model/events.ts';
import { limits } from '../model/limits.ts';
import { type api, routes } from './api.ts';
import { eventOf } from './events.ts';
import { examples } from './examples.ts';
import { headerPatterns } from './headers.ts';
import { type NamedRoute, pathsOf } from './paths.ts';
import { changes, failuresOf, isBodyOptional, type Route, type Scheme } from './route.ts';

/** The error response of any request (RFC 9457). */
const problem = z
  .object({
    type: z.string().meta({ format: 'uri', description: 'URL of the documentation of the code.' }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(Object.keys(errorCodes) as ErrorCode[]),
    request_id: z
      .string()
      .meta({ description: 'As in X-Request-Id; quote it when you report a problem.' }),
    errors: z
      .array(
        z.object({
          pointer: z.string().meta({
            description: 'JSON Pointer (RFC 6901) from /headers, /path, /query or /body.',
            example: '/body/email',
          }),
          detail: z.string(),
        }),
      )
      .optional()
      .meta({ description: 'Every invalid field; only with invalid_request.' }),
  })
  .meta({ id: 'Problem', description: 'An error (RFC 9457).' });

const securitySchemes: Record<Scheme, { type: 'http'; scheme: string; description: string }> = {
  project: {
    type: 'http',
    scheme: 'basic',
    description:
      "The project's backend: project id as user name, one of its secrets as password (RFC 7617).",
  },
  access: {
    type: 'http',
    scheme: 'bearer',
    description: 'A user: the access token, a JWT valid for ten minutes (RFC 9068).',
  },
  refresh: {
    type: 'http',
    scheme: 'bearer',
    description: 'A session: the refresh token, only to renew the session.',
  },
};

const tags: Record<keyof typeof api, string> = {
  sessions: 'Start, renew, list and end sessions.',
  passwords: 'Sign in with e-mail and password.',
  codes: 'Sign in with a code sent by e-mail.',
  identities: 'Sign in with an identity provider such as Google.',
  emails: "Verify or change the caller's e-mail.",
  users: 'The users of a project.',
  workspaces: 'Groups of users, each with an owner.',
  domains: 'E-mail domains whose users may join a workspace, or request to.',
  members: 'The members of a workspace and their roles.',
  invitations: 'Invitations to join a workspace.',
  joinRequests: 'Requests of users to join a workspace.',
  joinLinks: 'Links with which anyone who has them can join a workspace.',
  ownership: 'The owner of a workspace and transfers of ownership.',
  webhooks: 'Send events to a URL (Standard Webhooks).',
  events: 'Events, as a feed of the project and as the audit log of a workspace.',
  discovery: 'Metadata and keys for verifiers of access tokens.',
  docs: 'This documentation.',
};

const requestId = { description: 'Id of this request.', schema: { type: 'string' } } as const;
const headers = {
  retryAfter: { description: 'Seconds to wait before a retry.', schema: { type: 'integer' } },
  challenge: {
    description: 'The accepted authentication schemes (RFC 9110).',
    schema: { type: 'string' },
  },
  link: {
    description: 'Link to the next page, if there is one: `<URL>; rel="next"` (RFC 8288).',
    schema: { type: 'string' },
  },
  location: { description: 'URL of the resource (RFC 9110).', schema: { type: 'string' } },
  etag: { description: 'The version of the resource (RFC 9110).', schema: { type: 'string' } },
  replayed: {
    description:
      '`true` if this is the stored response of an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
} as const;

const idempotencyHeaders = z.object({
  'Idempotency-Key': z
    .string()
    .regex(new RegExp(headerPatterns.idempotencyKey))
    .optional()
    .meta({
      description:
        'Makes retries safe: repeated within 24 hours with the same key and content, the request takes effect once and ' +
        'gets the same response. Use a random value, such as a UUID.',
      example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
    }),
});
const preconditionHeaders = idempotencyHeaders.extend({
  'If-Match': z.string().regex(new RegExp(headerPatterns.ifMatch)).optional().meta({
    description:
      'The ETag of the version to change. If the resource has changed since, the response is 412.',
    example: '*',
  }),
});

/** The whole contract as an OpenAPI 3.1 document. */
export function openapi(version: string): Record<string, unknown> {
  const document = createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Identity and workspace service',
        version,
        description:
          'User accounts, sessions, workspaces and memberships. Every resource belongs to one project and is not ' +
          'visible to another: an id of another project returns 404. Timestamps are ISO 8601 in UTC. ' +
          `A body has at most ${limits.body / 1_024} KiB unless the operation states otherwise. ` +
          'If API Gateway rejects a request itself (throttled, too large, timed out), the status is the same and the ' +
          'body is `{"message": "..."}`.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
      paths: pathsOf(routes, operation),
      webhooks: notices(),
      components: { securitySchemes },
    },
    { override: ({ jsonSchema, io }) => simplify(jsonSchema, io) },
  );
  return { ...document };
}

/** Every event type with its description, as published and sent. */
function notices(): Record<string, Record<'post', ZodOpenApiOperationObject>> {
  return Object.fromEntries(
    Object.entries(eventTypes).map(([type, description]) => [
      type,
      {
        post: {
          operationId: type,
          tags: ['events'],
          summary: description,
          security: [],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: eventOf(type as EventType) } },
          },
          responses: { '2XX': { description: 'Accepted.' }, '4XX': { description: 'Rejected.' } },
        },
      },
    ]),
  );
}

/** Removes schema keywords that tell readers nothing, and those that would forbid responses to gain fields. */
function simplify(schema: Record<string, unknown>, io: 'input' | 'output'): void {
  if (io === 'output' && schema['additionalProperties'] === false) {
    delete schema['additionalProperties'];
  }
  // Clients must read every form of RFC 3339; what they send must be in UTC with milliseconds.
  if (schema['format'] === 'date-time') {
    if (io === 'input') schema['pattern'] = String.raw`\.\d{3}Z$`;
    else delete schema['pattern'];
  }
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
}

function operation(route: NamedRoute): ZodOpenApiOperationObject {
  const example = examples[route.name];
  return {
    operationId: route.name,
    tags: [route.name.slice(0, route.name.indexOf('.'))],
    summary: route.summary,
    ...(route.time && {
      description: `Takes up to ${route.time / 1_000} seconds; set your client timeout higher.`,
    }),
    security: route.auth.map((scheme) => ({ [scheme]: [] })),
    requestParams: {
      ...(route.params && { path: route.params }),
      ...(route.query && { query: route.query }),
      ...(changes(route) && { header: route.ifMatch ? preconditionHeaders : idempotencyHeaders }),
    },
    ...(route.body && {
      requestBody: {
        required: !isBodyOptional(route.body),
        ...(route.bodyLimit && { description: `At most ${route.bodyLimit / 1_024} KiB.` }),
        content: { 'application/json': { schema: route.body, example: example.body } },
      },
    }),
    responses: { ...successes(route, example.response), ...failures(route) },
  };
}

function successes(route: Route, example: unknown): ZodOpenApiResponsesObject {
  const isNew = route.statuses.length > 1;
  const type = route.produces?.split(';')[0];
  const usual = isNew ? 'It existed already.' : 'Done.';
  const descriptions: Partial<Record<number, string>> = {
    201: 'Created.',
    202: 'Accepted; processed later.',
    302: 'Redirect.',
  };
  const response = (status: number): ZodOpenApiResponseObject => ({
    description: descriptions[status] ?? usual,
    headers: {
      'X-Request-Id': requestId,
      ...(status === 302 && { Location: headers.location }),
      ...(route.query?.shape['cursor'] && { Link: headers.link }),
      ...(route.etag && { ETag: headers.etag }),
      ...(changes(route) && { 'Idempotency-Replayed': headers.replayed }),
    },
    content:
      type === undefined
        ? { 'application/json': { schema: route.response, example } }
        : { [type]: { schema: { type: 'string' } } },
  });
  return Object.fromEntries(route.statuses.map((status) => [String(status), response(status)]));
}

/** One response for each status; routes with the same errors share it. */
function failures(route: Route): ZodOpenApiResponsesObject {
  const byStatus = Map.groupBy(failuresOf(route), (code) => errorCodes[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [String(status), failure(status, codes.toSorted())]),
  );
}

/** By id: a component is written only once if it is the same object. */
const shared = new Map<string, ZodOpenApiResponseObject>();

function failure(status: number, codes: ErrorCode[]): ZodOpenApiResponseObject {
  const id = codes.map(pascal).join('Or');
  const known = shared.get(id);
  if (known) return known;
  const response: ZodOpenApiResponseObject = {
    id,
    description: codes.map((code) => `\`${code}\`: ${errorCodes[code].title}.`).join(' '),
    headers: failureHeaders(status, codes),
    content: {
      'application/problem+json': {
        schema: problem,
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleProblem(code) }])),
      },
    },
  };
  shared.set(id, response);
  return response;
}

function failureHeaders(status: number, codes: readonly ErrorCode[]): ZodOpenApiHeadersObject {
  return {
    'X-Request-Id': requestId,
    ...(status === 401 && { 'WWW-Authenticate': headers.challenge }),
    ...((status === 429 || status === 503) && { 'Retry-After': headers.retryAfter }),
    ...(codes.includes('request_in_progress') && { 'Retry-After': headers.retryAfter }),
  };
}

/** An example of the problem document of a code. */
export function exampleProblem(code: ErrorCode): z.output<typeof problem> {
  const { status, title } = errorCodes[code];
  return {
    type: `https://api.example.com/docs/errors#${code}`,
    title,
    status,
    detail: title,
    code,
    request_id: 'JKJaXmPLvHcESHA=',
    ...(code === 'invalid_request' && {
      errors: [{ pointer: '/body/email', detail: 'Must be an e-mail address' }],
    }),
  };
}

const pascal = (code: string) =>
  code
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
