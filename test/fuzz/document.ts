import * as z from 'zod';
import { routes } from '#shared/contract/api.ts';
import { fallback } from '#shared/contract/fallback.ts';
import { cachesOf, failuresOf, type Route } from '#shared/contract/route.ts';
import { type ErrorCode, errorCodes } from '#shared/model/error-codes.ts';
import { parseTarget } from '../../local/http/event.ts';
import { matcher } from '../../local/http/match.ts';
import type { Request, Response } from './send.ts';

type JsonSchema = { [name: string]: unknown };
type Documented = {
  headers?: Record<string, unknown>;
  content?: Record<string, { schema: JsonSchema }>;
};
export type Document = {
  paths: Record<
    string,
    Record<string, { responses: Record<string, Documented & { $ref?: string }> }>
  >;
  components: { schemas: JsonSchema; responses: Record<string, Documented> };
};

/**
 * Creates the check of responses against the OpenAPI document that the service itself serves: the status, the media
 * type and the headers are documented for the operation, and the body matches its schema. In one point it is stricter
 * than the document: a body has only documented fields. It uses the schemas of the document, not those of the contract
 * from which the document is generated, to find errors of the generation too.
 */
export function checker({ paths, components }: Document) {
  const match = matcher(routes);
  const definitions = rewritten(components.schemas, true) as JsonSchema;
  const open = rewritten(components.schemas, false) as JsonSchema;
  const problem = toZod(definitions['Problem'] as JsonSchema, definitions);
  const oauthProblem = toZod(definitions['OAuthProblem'] as JsonSchema, definitions);
  const bodies = new Map<JsonSchema, z.ZodType>();
  const bodyOf = (schema: JsonSchema, strict: boolean) => {
    const made =
      bodies.get(schema) ??
      toZod(rewritten(schema, strict) as JsonSchema, strict ? definitions : open);
    bodies.set(schema, made);
    return made;
  };

  /** The route of a request; undefined if the gateway itself responds. */
  function routeOf({ method, path }: Request): Route | undefined {
    const target = parseTarget(path);
    return target && (match(method, target.segments)?.route ?? fallback);
  }

  /** The problems of a response, one sentence each. */
  function flaws(request: Request, response: Response): string[] {
    const { status, headers, text } = response;
    const route = routeOf(request);
    if (!headers['x-request-id']) {
      const expected = route ? [413, 431] : [400, 431];
      const own = expected.includes(status) && /^(?:\{"message":"[\w -]+"\}|)$/.test(text);
      return own ? [] : [`${status} without X-Request-Id: ${text.slice(0, 200)}`];
    }
    if (!route) return [`${status} where the gateway should have refused`];
    return [...flawsOfHeaders(route, response), ...flawsOfBody(route, request, response)];
  }

  function documentedFor(route: Route, status: number): Documented | undefined {
    const responses = paths[route.path]?.[route.method.toLowerCase()]?.responses;
    const found = responses?.[status];
    return found?.$ref === undefined
      ? found
      : components.responses[found.$ref.split('/').at(-1) ?? ''];
  }

  function flawsOfBody(
    route: Route,
    { method }: Request,
    { status, headers, text }: Response,
  ): string[] {
    const type = String(headers['content-type'] ?? '').split(';')[0] ?? '';
    if (route === fallback) {
      if (![400, 404, 405].includes(status)) return [`${status} from the fallback`];
      return method === 'HEAD' ? [] : flawsOfProblem(route, status, type, text);
    }
    const documented = documentedFor(route, status);
    if (!documented) return [`${status} is not documented`];
    if (status === 304) return type + text === '' ? [] : [`a 304 with a body: ${type} ${text}`];
    const own = Object.entries(documented.content ?? {});
    const [, content] =
      own.find(([name]) => name === type || (name === 'text/*' && type.startsWith('text/'))) ?? [];
    if (!content) return [`${type} is not documented for ${status}`];
    if (status >= 400) return flawsOfProblem(route, status, type, text);
    if (!/json/.test(type)) return text === '' ? ['an empty body'] : [];
    return issuesOf(bodyOf(content.schema, true), text);
  }

  function flawsOfProblem(route: Route, status: number, type: string, text: string): string[] {
    if (route.problems === 'page' && type === 'text/html') return text ? [] : ['an empty page'];
    // RFC 6749 has its own error format, to which the members of a problem are added.
    const expected = route.problems === 'oauth' ? 'application/json' : 'application/problem+json';
    if (type !== expected) return [`${type} for ${status}`];
    const issues = issuesOf(route.problems === 'oauth' ? oauthProblem : problem, text);
    if (issues.length > 0) return issues;
    const { code, status: stated } = JSON.parse(text) as { code: ErrorCode; status: number };
    return [
      ...(failuresOf(route).includes(code) ? [] : [`code ${code} is not declared`]),
      ...(stated === status && errorCodes[code].status === status
        ? []
        : [`code ${code} with status ${status}`]),
      ...(status >= 500 ? [`${status} ${code}`] : []),
    ];
  }

  return { flaws, routeOf };
}

function flawsOfHeaders(route: Route, { status, headers }: Response): string[] {
  const expected: Record<string, RegExp> = {
    'cache-control': new RegExp(`^(?:${status < 400 ? cachesOf(route).join('|') : 'no-store'})$`),
    'content-security-policy': /^default-src 'none';/,
    'referrer-policy': /^no-referrer$/,
    'strict-transport-security': /^max-age=\d{8}; includeSubDomains$/,
    'x-content-type-options': /^nosniff$/,
    ...(status === 401 && { 'www-authenticate': /^(?:Basic|Bearer) realm="/ }),
    ...(status === 405 && { allow: /^[A-Z]+(?:, [A-Z]+)*$/ }),
    ...((status === 429 || status === 503) && { 'retry-after': /^\d+$/ }),
    ...(headers['link'] !== undefined && {
      link: route.query?.shape['cursor'] === undefined ? /^$/ : /^<http[^<>"\s]+>; rel="next"$/,
    }),
  };
  return Object.entries(expected).flatMap(([name, form]) => {
    const value = String(headers[name] ?? '');
    return form.test(value) ? [] : [`${name}: ${value}`];
  });
}

function issuesOf(schema: z.ZodType, text: string): string[] {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return [`a body that is no JSON: ${text.slice(0, 200)}`];
  }
  const { error } = schema.safeParse(body);
  return error
    ? error.issues.map(({ path, message }) => `body /${path.join('/')}: ${message}`)
    : [];
}

const toZod = (schema: JsonSchema, $defs: JsonSchema): z.ZodType =>
  z.fromJSONSchema({ ...schema, $defs } as Parameters<typeof z.fromJSONSchema>[0]);

/** The document's schemas, which refer to each other, inside one schema; strict ones allow no other properties. */
function rewritten(value: unknown, strict: boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => rewritten(each, strict));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(
    ([name]) => name !== 'example' && name !== 'examples',
  );
  const made = Object.fromEntries(
    entries.map(([name, part]) => [
      name,
      name === '$ref'
        ? String(part).replace('#/components/schemas/', '#/$defs/')
        : rewritten(part, strict),
    ]),
  );
  const closes = strict && made['type'] === 'object' && made['properties'] !== undefined;
  return closes && made['additionalProperties'] === undefined
    ? { ...made, additionalProperties: false }
    : made;
}
