import * as z from 'zod';
import type { RouteSpec } from '../contract/route.ts';
import { ApiError, type FieldError } from '../model/errors.ts';
import { isObject } from '../model/json-object.ts';
import type { Notes } from './exchange.ts';
import { issueMessage } from './issue-message.ts';
import { type Part, pointerTo } from './json-pointer.ts';
import { readPairs } from './pairs.ts';
import { type RequestHeaders, readHeaders } from './request-headers.ts';

/** The parts of an API Gateway event (payload format 2.0) that carry input, the body parsed. */
type InputEvent = {
  headers: Record<string, string | undefined>;
  rawQueryString: string;
  pathParameters?: Record<string, string | undefined> | undefined;
  body?: unknown;
};

/** A route without query parameters rejects every parameter; an ignored one could not be given a meaning later. */
const none = z.strictObject({});

/**
 * Reads and validates all input of the route. Throws `invalid_request` with every invalid field of headers, path, query
 * and body at once. A body that is unreadable is not validated further; one whose values alone are no strict JSON is,
 * and each of those values has one error.
 */
export async function readInput(
  route: RouteSpec,
  event: InputEvent,
  { bodyErrors = [], unreadable = false, caller }: Notes,
): Promise<{ params: unknown; query: unknown; body: unknown; headers: RequestHeaders }> {
  const errors: FieldError[] = [];
  const invalid: FieldError[] = [];
  const headers = readHeaders(route, event.headers, errors);
  const [params, query, body] = [
    await validate('path', route.params, () => event.pathParameters ?? {}, errors),
    await validate(
      'query',
      route.query ?? none,
      (schema) => readQuery(event.rawQueryString, schema),
      errors,
    ),
    unreadable ? undefined : await validate('body', route.body, () => event.body, invalid),
  ];
  if (caller?.kind === 'project' && !unreadable && isObject(event.body))
    invalid.push(...missingWithBasic(route, event.body));
  const named = new Set(bodyErrors.map(({ pointer }) => pointer));
  errors.push(...bodyErrors, ...invalid.filter(({ pointer }) => !named.has(pointer)));
  if (errors.length > 0) throw new ApiError('invalid_request', { errors });
  return { params, query, body, headers };
}

function missingWithBasic(
  { requiredWithBasic = [] }: RouteSpec,
  body: Record<string, unknown>,
): FieldError[] {
  return requiredWithBasic
    .filter((name) => body[name] === undefined)
    .map((name) => ({
      pointer: pointerTo('body', name),
      detail: 'Is required with a Basic credential',
    }));
}

async function validate(
  part: Part,
  schema: z.ZodObject | undefined,
  read: (schema: z.ZodObject) => unknown,
  errors: FieldError[],
): Promise<unknown> {
  if (!schema) return undefined;
  try {
    const { data, error } = await schema.safeParseAsync(read(schema), { error: issueMessage });
    if (error) errors.push(...error.issues.flatMap((issue) => toFieldErrors(part, issue)));
    return data;
  } catch (failure) {
    if (!(failure instanceof ApiError) || failure.code !== 'invalid_request') throw failure;
    errors.push(...(failure.errors ?? []));
    return undefined;
  }
}

/** The fields that an issue concerns, each with its pointer. */
export function toFieldErrors(part: Part, issue: z.core.$ZodIssue): FieldError[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      pointer: pointerTo(part, ...path, key),
      detail: 'Unknown field',
    }));
  return [{ pointer: pointerTo(part, ...path), detail: issue.message }];
}

/** Reads the query. Numbers are decimal integers; the schema refuses those that are not safe, as in a body. */
function readQuery(raw: string, schema: z.ZodObject): Record<string, unknown> {
  const { values, errors } = readPairs(raw, 'query', schema);
  if (errors.length > 0) throw new ApiError('invalid_request', { errors });
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      isNumber(schema.shape[name]) && /^-?\d+$/.test(value) ? Number(value) : value,
    ]),
  );
}

function isNumber(schema: z.core.$ZodType | undefined): boolean {
  if (schema instanceof z.ZodOptional) return isNumber(schema.unwrap());
  return schema instanceof z.ZodNumber;
}
