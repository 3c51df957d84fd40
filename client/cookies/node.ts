import { refusal, toProblem } from './problem.ts';

/** A request of Node or Express, as far as it is read. */
type NodeRequest = AsyncIterable<Uint8Array> & {
  method?: string | undefined;
  url?: string | undefined;
  rawHeaders: readonly string[];
  headers: { host?: string | undefined };
  /** Express: the path as it came, before a mount point was cut off. */
  originalUrl?: string | undefined;
  /** Express: `https` too if a proxy that it trusts says so. */
  protocol?: string | undefined;
  /** What a middleware has read and parsed. */
  body?: unknown;
};
type NodeResponse = {
  statusCode: number;
  setHeader(name: string, value: string | readonly string[]): unknown;
  end(body: string): unknown;
};

/**
 * Mounts a handler of Fetch requests in Express, or in a server of `node:http`:
 * `app.use('/auth', forNode(createCookieHandler(options)))`. Behind a proxy that ends TLS, Express needs `trust proxy`,
 * or the handler `allowedOrigins`. A request that Fetch does not know, such as TRACE, is answered 400.
 */
export const forNode =
  (handler: (request: Request) => Promise<Response>) =>
  async (request: NodeRequest, response: NodeResponse): Promise<void> => {
    const fetchRequest = toFetch(request);
    const answer = fetchRequest
      ? await handler(fetchRequest)
      : toProblem(refusal(400, 'invalid_request', 'The method or the host is not valid.'));
    response.statusCode = answer.status;
    answer.headers.forEach((value, name) => {
      if (name !== 'set-cookie') response.setHeader(name, value);
    });
    const cookies = answer.headers.getSetCookie();
    if (cookies.length > 0) response.setHeader('set-cookie', cookies);
    response.end(await answer.text());
  };

/** The same request for a handler; undefined for a method or a host that Fetch refuses, and Node's parser lets pass. */
function toFetch(request: NodeRequest): Request | undefined {
  const { method = 'GET', rawHeaders, protocol = 'http' } = request;
  const headers = new Headers();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    headers.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '');
  const path = request.originalUrl ?? request.url ?? '/';
  const host = request.headers.host ?? '';
  // Joined, not resolved: a path such as //other.example.com would name another host, and with it another origin.
  const url = `${protocol}://${/^[\w.:[\]-]+$/.test(host) ? host : 'invalid.'}${path.startsWith('/') ? path : '/'}`;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  if (/^(?:connect|trace|track)$/i.test(method) || !URL.canParse(url)) return undefined;
  return new Request(url, {
    method,
    headers,
    ...(hasBody && { body: bodyOf(request), duplex: 'half' }),
  });
}

/** The body, also where `express.json()` or `express.raw()` has read it. */
function bodyOf(request: NodeRequest): ReadableStream | Uint8Array<ArrayBuffer> | string {
  const { body } = request;
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return new Uint8Array(body);
  if (typeof body === 'object' && body !== null) return JSON.stringify(body);
  const parts = request[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    // Not `return()`: it would close the connection before the answer to a body that is too long.
  });
}
