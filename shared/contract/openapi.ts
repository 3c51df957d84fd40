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

/** The failure of any request (RFC 9457). */
const problem = z
  .object({
    type: z.string().meta({ format: 'uri', description: 'Where the code is documented.' }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(Object.keys(errorCodes) as ErrorCode[]),
    request_id: z.string().meta({ description: 'As in X-Request-Id; name it when you report.' }),
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
      .meta({ description: 'Every wrong field; with invalid_request only.' }),
  })
  .meta({ id: 'Problem', description: 'A failure (RFC 9457).' });

const securitySchemes: Record<Scheme, { type: 'http'; scheme: string; description: string }> = {
  project: {
    type: 'http',
    scheme: 'basic',
    description:
      "The project's back end: project id as user name, one of its secrets as password (RFC 7617).",
  },
  access: {
    type: 'http',
    scheme: 'bearer',
    description: 'A person: the access token, a JWT of ten minutes (RFC 9068).',
  },
  refresh: {
    type: 'http',
    scheme: 'bearer',
    description: 'A session: the refresh token, for its renewal only.',
  },
};

const tags: Record<keyof typeof api, string> = {
  sessions: 'Start, renew, see and end sessions.',
  passwords: 'Sign in by e-mail and password.',
  codes: 'Sign in by a code that is mailed.',
  identities: 'Sign in by an identity provider such as Google.',
  emails: 'Prove or change the e-mail of the caller.',
  users: 'The people of a project.',
  workspaces: 'Groups that a user owns.',
  domains: 'E-mail domains whose people may join a workspace, or ask to.',
  members: 'Who belongs to a workspace, and as what.',
  invitations: 'Who is asked to join a workspace.',
  joinRequests: 'Who asks to join a workspace.',
  joinLinks: 'Links by which whoever has them joins a workspace.',
  ownership: 'Who owns a workspace, and to whom it passes.',
  webhooks: 'Have events sent to a URL (Standard Webhooks).',
  events: 'What happened, as a feed of the project and as the audit log of a workspace.',
  discovery: 'What verifiers of access tokens need.',
  docs: 'This documentation.',
};

const requestId = { description: 'Id of this request.', schema: { type: 'string' } } as const;
const headers = {
  retryAfter: { description: 'Seconds until a repeat makes sense.', schema: { type: 'integer' } },
  challenge: { description: 'The schemes that would do (RFC 9110).', schema: { type: 'string' } },
  link: {
    description: 'The next page, if there is one: `<URL>; rel="next"` (RFC 8288).',
    schema: { type: 'string' },
  },
  location: { description: 'Where it is (RFC 9110).', schema: { type: 'string' } },
  etag: { description: 'The version of the resource (RFC 9110).', schema: { type: 'string' } },
  replayed: {
    description: '`true` where the Idempotency-Key was answered before, and is now as it was then.',
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
        'Names this request: repeated within 24 hours with the same key and content it has one effect and the same ' +
        'answer. Make it random, such as a UUID.',
      example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
    }),
});
const preconditionHeaders = idempotencyHeaders.extend({
  'If-Match': z.string().regex(new RegExp(headerPatterns.ifMatch)).optional().meta({
    description: 'The ETag of the version that is to be changed; where it is another by now, 412.',
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
          'User accounts, sessions, workspaces and memberships. Everything belongs to one project and nothing of it ' +
          'is visible through another: a foreign id answers like a missing one. Timestamps are ISO 8601 in UTC. ' +
          `A body has at most ${limits.body / 1_024} KiB where the operation does not say otherwise. ` +
          'Where no function was reached (throttled, too large, too slow), API Gateway itself answers with the same ' +
          'status and `{"message": "..."}`.',
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

/** Every type of event with what it tells, as it is published and sent. */
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
          responses: { '2XX': { description: 'Taken.' }, '4XX': { description: 'Not taken.' } },
        },
      },
    ]),
  );
}

/** Leaves out what says nothing to a reader, and what would forbid an answer to gain a field. */
function simplify(schema: Record<string, unknown>, io: 'input' | 'output'): void {
  if (io === 'output' && schema['additionalProperties'] === false) {
    delete schema['additionalProperties'];
  }
  // Clients read every form of RFC 3339; what they send must be in UTC with milliseconds.
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
      description: `Takes up to ${route.time / 1_000} seconds; set your client's time-out higher.`,
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
  const usual = isNew ? 'It was there already.' : 'Done.';
  const descriptions: Partial<Record<number, string>> = {
    201: 'Created.',
    202: 'Accepted: the rest is done later.',
    302: 'It is elsewhere.',
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

/** One response a status; routes that fail alike share it. */
function failures(route: Route): ZodOpenApiResponsesObject {
  const byStatus = Map.groupBy(failuresOf(route), (code) => errorCodes[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [String(status), failure(status, codes.toSorted())]),
  );
}

/** By id: a component is written once only if it is one object. */
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
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
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

function exampleOf(code: ErrorCode): z.output<typeof problem> {
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
