import { type ServerResponse, validateHeaderName, validateHeaderValue } from 'node:http';
import { isObject } from '../../shared/model/json-object.ts';

/** The response to the client, after API Gateway has interpreted the function's result. */
export type Answer = {
  status: number;
  /** Lower-cased. */
  headers: Record<string, string | string[]>;
  body: string | Buffer;
};

/** A response that API Gateway itself sends. */
export function gatewayAnswer(status: number, message: string): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message }),
  };
}

/**
 * Interprets a function's result as payload format 2.0. A JSON value without a `statusCode` is itself the body of a
 * 200. Throws a TypeError where API Gateway would respond 500, and for headers that HTTP cannot carry.
 */
export function toAnswer(result: unknown): Answer {
  if (!isObject(result) || result['statusCode'] === undefined) {
    const body = typeof result === 'string' ? result : JSON.stringify(result);
    return { status: 200, headers: { 'content-type': 'application/json' }, body };
  }
  const { statusCode, headers = {}, cookies = [], body = '', isBase64Encoded = false } = result;
  const status = Number(statusCode);
  if (!Number.isInteger(status) || status < 200 || status > 599) fail('statusCode', statusCode);
  if (!isObject(headers)) fail('headers', headers);
  if (!Array.isArray(cookies) || !cookies.every((cookie) => typeof cookie === 'string')) {
    fail('cookies', cookies);
  }
  if (typeof body !== 'string') fail('body', body);
  if (typeof isBase64Encoded !== 'boolean') fail('isBase64Encoded', isBase64Encoded);
  const answer: Answer = {
    status,
    headers: {},
    body: isBase64Encoded ? Buffer.from(body, 'base64') : body,
  };
  for (const [name, value] of Object.entries(headers)) {
    if (value === null || typeof value === 'object') fail(`headers.${name}`, value);
    validateHeaderName(name);
    validateHeaderValue(name, String(value));
    answer.headers[name.toLowerCase()] = String(value);
  }
  for (const cookie of cookies) validateHeaderValue('set-cookie', cookie);
  if (cookies.length > 0) answer.headers['set-cookie'] = cookies;
  if (body !== '') answer.headers['content-type'] ??= 'text/plain;charset=UTF-8';
  return answer;
}

/** Writes a response. Length, date and connection headers are set by the server itself, as by API Gateway. */
export function send(response: ServerResponse, answer: Answer): void {
  const { status, headers } = answer;
  delete headers['connection'];
  delete headers['transfer-encoding'];
  delete headers['content-length'];
  const bodyless = status === 204 || status === 304;
  if (!bodyless) headers['content-length'] = String(Buffer.byteLength(answer.body));
  response.writeHead(status, headers);
  response.end(bodyless ? undefined : answer.body);
}

function fail(field: string, value: unknown): never {
  throw new TypeError(`The result's ${field} cannot be ${JSON.stringify(value)}`);
}
