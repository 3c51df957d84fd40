import type * as z from 'zod';
import type {
  ZodOpenApiOperationObject,
  ZodOpenApiResponseObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { examples } from '../examples/examples.ts';
import { operationNotes } from '../notes/operation-notes.ts';
import type { NamedRoute } from '../paths.ts';
import {
  bodyTypesOf,
  isBodyOptional,
  isRevalidated,
  type Route,
  type SuccessStatus,
  takesIdempotencyKey,
} from '../route.ts';
import { scopeOf } from '../scopes.ts';
import { describe } from './descriptions.ts';
import { failures } from './failures.ts';
import { requestHeaders, responseHeader } from './headers.ts';

/** A route as an operation of the document. */
export function operation(route: NamedRoute): ZodOpenApiOperationObject {
  const example = examples[route.name];
  const scope = scopeOf(route);
  return {
    operationId: route.name,
    tags: [route.name.slice(0, route.name.indexOf('.'))],
    summary: route.summary,
    description: describe(route),
    security: route.auth.map((scheme) => ({ [scheme]: [] })),
    ...(scope !== undefined && { 'x-scope': scope }),
    requestParams: {
      ...(route.params && { path: route.params }),
      ...(route.query && { query: route.query }),
      ...(takesIdempotencyKey(route) && {
        header: route.ifMatch ? requestHeaders.precondition : requestHeaders.idempotency,
      }),
      ...(isRevalidated(route) && { header: requestHeaders.revalidation }),
    },
    ...(route.body && { requestBody: requestBody(route, route.body, example.body) }),
    responses: { ...successes(route, example.response), ...failures(route) },
  };
}

const requestBody = (route: Route, schema: z.ZodObject, example: unknown) => ({
  required: !isBodyOptional(schema),
  ...(route.bodyLimit && { description: `At most ${route.bodyLimit / 1_024} KiB.` }),
  content: Object.fromEntries(bodyTypesOf(route).map((type) => [type, { schema, example }])),
});

const notModified: ZodOpenApiResponseObject = {
  id: 'NotModified',
  description: 'The client has the current version: its ETag is in `If-None-Match`.',
  headers: { ...responseHeader('X-Request-Id'), ...responseHeader('ETag') },
};

function successes(route: NamedRoute, example: unknown): ZodOpenApiResponsesObject {
  const isNew = route.statuses.length > 1;
  const { answers } = operationNotes[route.name];
  const type = route.produces?.split(';')[0];
  const usual = isNew ? 'It existed already.' : 'Done.';
  const descriptions: Record<Exclude<SuccessStatus, 200>, string> = {
    201: 'Created.',
    202: 'Accepted; processed later.',
    302: 'Redirect.',
    303: 'Redirect to a GET.',
  };
  const response = (status: SuccessStatus): ZodOpenApiResponseObject => ({
    description: answers?.[status]?.description ?? (status === 200 ? usual : descriptions[status]),
    headers: {
      ...responseHeader('X-Request-Id'),
      ...((status > 300 || (status === 201 && route.created)) && responseHeader('Location')),
      ...(route.query?.shape['cursor'] && responseHeader('Link')),
      ...(route.etag && responseHeader('ETag')),
      ...(takesIdempotencyKey(route) && responseHeader('Idempotency-Replayed')),
    },
    content:
      type === undefined
        ? {
            'application/json': answers?.[status]?.form ?? { schema: route.response, example },
          }
        : { [type]: { schema: { type: 'string' } } },
  });
  const { otherwise } = route;
  return {
    ...Object.fromEntries(route.statuses.map((status) => [String(status), response(status)])),
    ...(isRevalidated(route) && { '304': notModified }),
    ...(otherwise && {
      [String(otherwise.status)]: {
        ...response(otherwise.status),
        description: otherwise.description,
        content: {
          'application/json': { schema: otherwise.response, example: otherwise.example },
        },
      },
    }),
  };
}
