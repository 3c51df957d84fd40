import { appendFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request as open } from 'node:http';
import { text as textOf } from 'node:stream/consumers';

export type Call = {
  method: string;
  path: string;
  /** The Authorization header. */
  auth?: string | undefined;
  /** Strings and bytes are sent unchanged, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  query?: Record<string, unknown> | undefined;
};

/** `any`: `JSON.parse` gives no better type, and tests compare whole bodies. */
type Json = ReturnType<typeof JSON.parse>;
export type Answer<T = Json> = {
  status: number;
  headers: Headers;
  /** Parsed if it is JSON, else the text. */
  body: T;
};

/** Returns a function that calls a server over HTTP. */
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

/** `fetch` takes four times the CPU per request, and a run makes hundreds of thousands. */
const agent = new Agent({ keepAlive: true });

async function send<T>(url: string, request: Call): Promise<Answer<T>> {
  const { method, path } = request;
  const response = await responseTo(url, request);
  const status = response.statusCode ?? 0;
  const headers = headersOf(response);
  const text = await textOf(response);
  const isJson = /json/.test(headers.get('content-type') ?? '');
  const parsed: Json = isJson && text !== '' ? JSON.parse(text) : text;
  record?.(method, path, status, parsed);
  return { status, headers, body: parsed as T };
}

/** Sends a request and resolves with the response, whose body is not read yet. */
export function responseTo(url: string, request: Call): Promise<IncomingMessage> {
  const { method, path, auth, body, query } = request;
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const search = query ? `?${new URLSearchParams(toStrings(query)).toString()}` : '';
  const sent = raw ? body : JSON.stringify(body);
  return exchange(
    `${url}${path}${search}`,
    method,
    {
      'user-agent': 'node',
      ...(auth !== undefined && { authorization: auth }),
      ...(sent !== undefined && {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(sent)),
      }),
      ...request.headers,
    },
    sent,
  );
}

/** The server may close a kept-alive connection just as it is reused: the request then uses another one. */
export function exchange(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: string | Uint8Array,
  connections: Agent | false = agent,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = open(url, { method, headers, agent: connections });
  const isStale = (error: NodeJS.ErrnoException) =>
    sent.reusedSocket && error.code === 'ECONNRESET';
  sent.on('response', resolve);
  sent.on('error', (error) =>
    isStale(error) ? resolve(exchange(url, method, headers, body, false)) : reject(error),
  );
  sent.end(body);
  return promise;
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let i = 0; i < rawHeaders.length; i += 2)
    headers.append(rawHeaders[i] as string, rawHeaders[i + 1] as string);
  return headers;
}

const recordFile = process.env['RECORD_ANSWERS'];

/** Records every response in a file, for test/tools/answers.ts. */
const record =
  recordFile === undefined
    ? undefined
    : (method: string, path: string, status: number, body: Json) =>
        appendFileSync(recordFile, `${method} ${path} ${status} ${body?.code ?? ''}\n`);

function toStrings(query: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
}
