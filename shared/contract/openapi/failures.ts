import * as z from 'zod';
import type {
  ZodOpenApiHeadersObject,
  ZodOpenApiResponseObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { type ErrorCode, errorCodes } from '../../model/error-codes.ts';
import { problemMembers } from '../../model/problem-members.ts';
import { failuresOf, type Route } from '../route.ts';
import { responseHeader } from './headers.ts';
import { pascal } from './schemas.ts';

/** What every error response has (RFC 9457). */
const common = z.object({
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
    .meta({ description: 'The invalid fields, 20 at most; only with invalid_request.' }),
});

const byCode: [code: string, shape: Record<string, z.ZodType>][] = Object.entries(
  problemMembers,
).map(([code, { schema }]) => [code, schema.shape]);

/** The members that the failures of some codes add, each optional: `code` decides which there are. */
const further = Object.fromEntries(
  byCode
    .flatMap(([, shape]) => Object.entries(shape))
    .map(([name, field]) => {
      const codes = byCode.flatMap(([code, shape]) => (name in shape ? [`\`${code}\``] : []));
      const description = `${field.description} Only with ${codes.join(' and ')}.`;
      return [name, z.optional(field).meta({ description })];
    }),
);

/** The error response of any request. */
const problem = common.extend(further).meta({ id: 'Problem', description: 'An error (RFC 9457).' });

/** The same for OAuth clients (RFC 6749 section 5.2). */
const oauthProblem = common
  .extend({
    error: z.string().meta({ example: 'invalid_grant' }),
    error_description: z.string(),
  })
  .meta({
    id: 'OAuthProblem',
    description:
      'An error of an OAuth endpoint: the members of RFC 6749, and those that every `Problem` has.',
  });

/** One response for each status; routes with the same errors share it. */
export function failures(route: Route): ZodOpenApiResponsesObject {
  const byStatus = Map.groupBy(failuresOf(route), (code) => errorCodes[code].status);
  const failureOf = route.problems ? otherForms[route.problems] : failure;
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [String(status), failureOf(status, codes.toSorted())]),
  );
}

/** By id: a component is written only once if it is the same object. */
const shared = new Map<string, ZodOpenApiResponseObject>();

function failure(status: number, codes: ErrorCode[]): ZodOpenApiResponseObject {
  const id = codes.map((code) => pascal(code)).join('Or');
  const cached = shared.get(id);
  if (cached) return cached;
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

type Content = NonNullable<ZodOpenApiResponseObject['content']>;

/** The failure in another form, which the start of its id names. */
function formOf(name: string, contentOf: (usual: Content) => Content) {
  return (status: number, codes: ErrorCode[]): ZodOpenApiResponseObject => {
    const id = `${name}${codes.map((code) => pascal(code)).join('Or')}`;
    const cached = shared.get(id);
    if (cached) return cached;
    const { content = {}, ...usual } = failure(status, codes);
    const response: ZodOpenApiResponseObject = { ...usual, id, content: contentOf(content) };
    shared.set(id, response);
    return response;
  };
}

const otherForms = {
  oauth: formOf('OAuth', () => ({ 'application/json': { schema: oauthProblem } })),
  page: formOf('Page', (usual) => ({ ...usual, 'text/html': { schema: z.string() } })),
};

function failureHeaders(status: number, codes: readonly ErrorCode[]): ZodOpenApiHeadersObject {
  return {
    ...responseHeader('X-Request-Id'),
    ...((status === 401 || codes.includes('insufficient_scope')) &&
      responseHeader('WWW-Authenticate')),
    ...(isRetried(status, codes) && responseHeader('Retry-After')),
  };
}

/** Whether the service says when to retry. */
const isRetried = (status: number, codes: readonly ErrorCode[]): boolean =>
  status === 429 || status === 503 || codes.includes('request_in_progress');

/** An example of the problem document of a code. */
export function exampleProblem(code: ErrorCode): z.output<typeof common> {
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
    ...(isWithMembers(code) && problemMembers[code].example),
  };
}

const isWithMembers = (code: ErrorCode): code is keyof typeof problemMembers =>
  code in problemMembers;
