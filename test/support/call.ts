import { appendFileSync } from 'node:fs';

export type Call = {
  method: string;
  path: string;
  /** The Authorization header. */
  auth?: string | undefined;
  /** A string or bytes go as they are, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  query?: Record<string, unknown> | undefined;
};

/** Whatever the server said: `JSON.parse` gives no better type, and tests compare it whole. */
type Json = ReturnType<typeof JSON.parse>;
export type Answer<T = Json> = {
  status: number;
  headers: Headers;
  /** Parsed where it is JSON, else its text. */
  body: T;
};

/** Makes the function that calls a server over HTTP. */
export function caller(url: string) {
  function call<T = Json>(request: Call): Promise<Answer<T>>;
  function call<T = Json>(
    method: string,
    path: string,
    auth?: string,
    body?: unknown,
    more?: Pick<Call, 'headers' | 'query'>,
  ): Promise<Answer<T>>;
  function call<T>(
    first: Call | string,
    path = '/',
    auth?: string,
    body?: unknown,
    more?: Pick<Call, 'headers' | 'query'>,
  ): Promise<Answer<T>> {
    return typeof first === 'string'
      ? send<T>(url, { method: first, path, auth, body, ...more })
      : send<T>(url, first);
  }
  return call;
}

async function send<T>(url: string, request: Call): Promise<Answer<T>> {
  const { method, path, auth, body, query } = request;
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const search = query ? `?${new URLSearchParams(toStrings(query)).toString()}` : '';
  const response = await fetch(`${url}${path}${search}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(auth !== undefined && { authorization: auth }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...request.headers,
    },
    ...(body !== undefined && { body: raw ? (body as string) : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  const parsed: Json = isJson && text !== '' ? JSON.parse(text) : text;
  record?.(method, path, response.status, parsed);
  return { status: response.status, headers: response.headers, body: parsed as T };
}

const recordFile = process.env['RECORD_ANSWERS'];

/** Notes every answer in a file, for test/tools/answers.ts. */
const record =
  recordFile === undefined
    ? undefined
    : (method: string, path: string, status: number, body: Json) =>
        appendFileSync(recordFile, `${method} ${path} ${status} ${body?.code ?? ''}\n`);

function toStrings(query: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
}
