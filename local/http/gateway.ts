import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIPv6 } from 'node:net';
import type { FunctionName } from '../../shared/contract/functions.ts';
import { functionSeconds } from '../../shared/contract/route.ts';
import type { Throttle } from '../../shared/model/throttle.ts';
import { type Handler, invoke, type Loader, PayloadTooLarge } from '../aws/lambda.ts';
import { type Answer, gatewayAnswer, send, toAnswer } from './answer.ts';
import { applyCors, type Cors, preflight } from './cors.ts';
import { parseTarget, requestId, toEvent } from './event.ts';
import { type Match, matcher } from './match.ts';
import { tokenBucket } from './throttle.ts';

export type GatewayRoute = { name: FunctionName; method: string; path: string; time?: number };

export type GatewayOptions = {
  routes: readonly GatewayRoute[];
  load: Loader;
  /** The function behind `$default`; null for an API without one. */
  fallback?: FunctionName | null;
  /** Default: a free port. */
  port?: number;
  /** IP addresses to listen on. */
  hosts?: readonly string[];
  /** Limit of each route before 429; default: unlimited. */
  throttle?: Throttle | undefined;
  cors?: Cors;
  /** Timeout of a function in milliseconds. */
  functionTimeout?: number;
  /** Milliseconds after which API Gateway gives up. */
  integrationTimeout?: number;
  /** Renames `WWW-Authenticate`, as API Gateway is reported to do in some cases. */
  remapAuthenticate?: boolean;
  /** Pages that only the local server has; requests that it answers reach no API route or function. */
  page?: (method: string, target: string, request: IncomingMessage) => Answer | undefined;
  /** Receives uncaught errors of functions, which AWS writes to their log. */
  onError?: (name: FunctionName, error: unknown) => void;
};

export type Gateway = { port: number; url: string; close(): Promise<void> };

/** Bytes: API Gateway's limits of the body, and of request line plus headers. */
const limits = { body: 10 * 1024 * 1024, head: 10_240 };

/**
 * Serves functions over HTTP like an API Gateway HTTP API with Lambda proxy integrations (payload format 2.0): route
 * selection, events, interpretation of results, errors and limits. Rejects with the system's error if the port is
 * taken.
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const respond = responder(options);
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    const page = options.page?.(request.method ?? '', request.url ?? '/', request);
    if (page) {
      request.resume();
      return send(response, page);
    }
    const answered = options.cors && preflight(options.cors, request);
    if (answered) return send(response, answered);
    respond(request).then(
      (answer) => send(response, finish(answer, request, options)),
      (error: unknown) => {
        // Otherwise the client disconnected during its request.
        if (request.complete) console.error(error);
        response.destroy();
      },
    );
  };
  const servers: Server[] = [];
  let port = options.port ?? 0;
  const hosts = options.hosts ?? ['127.0.0.1'];
  try {
    for (const host of hosts) {
      const server = createServer({ maxHeaderSize: 4 * limits.head }, serve);
      if (!(await listen(server, port, host))) continue;
      servers.push(server);
      const address = server.address();
      if (typeof address === 'object' && address) port = address.port;
    }
  } catch (error) {
    for (const server of servers) server.close();
    throw error;
  }
  return {
    port,
    url: `http://${hosts[0]}:${port}`,
    async close() {
      await Promise.all(servers.map(closeServer));
    },
  };
}

function responder({ fallback = 'fallback.notFound', ...options }: GatewayOptions) {
  const match = matcher(options.routes);
  const buckets = new Map<unknown, () => boolean>();
  const handlers = new Map<FunctionName, Promise<Handler>>();
  const handlerOf = (name: FunctionName) => {
    let handler = handlers.get(name);
    if (!handler) {
      handler = options.load(name);
      handlers.set(name, handler);
      handler.catch(() => handlers.delete(name));
    }
    return handler;
  };
  const passes = (throttle: Throttle, route: GatewayRoute | undefined) => {
    let bucket = buckets.get(route);
    if (!bucket) {
      bucket = tokenBucket(throttle);
      buckets.set(route, bucket);
    }
    return bucket();
  };

  return async (request: IncomingMessage): Promise<Answer> => {
    if (headSize(request) > limits.head)
      return refuse(request, 431, 'Request Header Fields Too Large');
    const target = parseTarget(request.url ?? '/');
    if (!target) return refuse(request, 400, 'Bad Request');
    const found: Match<GatewayRoute> | undefined = match(request.method ?? '', target.segments);
    const name = found?.route.name ?? fallback;
    if (!name) return refuse(request, 404, 'Not Found');
    if (options.throttle && !passes(options.throttle, found?.route))
      return refuse(request, 429, 'Too Many Requests');
    const body = await readBody(request);
    if (!body) return refuse(request, 413, 'Request Entity Too Large');

    const routeKey = found ? `${found.route.method} ${found.route.path}` : '$default';
    const event = toEvent(
      request,
      target,
      { routeKey, pathParameters: found?.pathParameters },
      body,
    );
    try {
      const handler = await handlerOf(name);
      const time = options.functionTimeout ?? functionSeconds(found?.route ?? {}) * 1_000;
      const patience = options.integrationTimeout ?? 29_000;
      const work = invoke(name, handler, event, time);
      const result = time < patience ? await work : await within(work, patience);
      if (result === tooLate) return gatewayAnswer(503, 'Service Unavailable');
      return toAnswer(result);
    } catch (error) {
      if (error instanceof PayloadTooLarge && error.what === 'event') {
        return gatewayAnswer(413, 'Request Entity Too Large');
      }
      (options.onError ?? logError)(name, error);
      return gatewayAnswer(500, 'Internal Server Error');
    }
  };
}

function finish(answer: Answer, request: IncomingMessage, options: GatewayOptions): Answer {
  if (options.cors) applyCors(options.cors, request, answer);
  const challenge = answer.headers['www-authenticate'];
  if (options.remapAuthenticate && challenge) {
    answer.headers['x-amzn-remapped-www-authenticate'] = challenge;
    delete answer.headers['www-authenticate'];
  }
  answer.headers['apigw-requestid'] = requestId();
  return answer;
}

/** Responds without invoking a function; the rest of the request is discarded. */
function refuse(request: IncomingMessage, status: number, message: string): Answer {
  request.resume();
  return gatewayAnswer(status, message);
}

function headSize(request: IncomingMessage): number {
  let size = (request.method ?? '').length + (request.url ?? '').length;
  for (const text of request.rawHeaders) size += text.length;
  return size;
}

const noBytes = Buffer.alloc(0);

/** Reads the whole body; undefined if it is too large. Rejects if the client disconnects before its end. */
function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>();
  if (!request.headers['content-length'] && !request.headers['transfer-encoding']) {
    request.resume();
    resolve(noBytes);
    return promise;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > limits.body) resolve(undefined);
    else chunks.push(chunk);
  });
  request.on('end', () => resolve(Buffer.concat(chunks)));
  request.on('close', () => {
    // Of a whole request too, for which an error would take several us.
    if (!request.complete) reject(new Error('The client went away.'));
  });
  return promise;
}

const tooLate = Symbol('too late');

async function within<T>(work: Promise<T>, milliseconds: number): Promise<T | typeof tooLate> {
  const { promise, resolve } = Promise.withResolvers<typeof tooLate>();
  const timer = setTimeout(() => resolve(tooLate), milliseconds);
  work.catch(() => {});
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

/** Listens on a host; false if the machine has no IPv6. */
async function listen(server: Server, port: number, host: string): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  server.once('error', (error: NodeJS.ErrnoException) => {
    const noIpv6 = error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT';
    if (isIPv6(host) && noIpv6) resolve(false);
    else reject(error);
  });
  server.listen(port, host, () => resolve(true));
  return promise;
}

/** Waits for requests in progress, for at most a second. */
async function closeServer(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), 1000);
  await promise;
  clearTimeout(timer);
}

function logError(name: FunctionName, error: unknown): void {
  console.error(name, error);
}
