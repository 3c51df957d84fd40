import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Headers that the load balancer in front of API Gateway removes; functions never see them. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The media types whose body is passed as text; all others are passed in base64. */
const textual = /^(?:text\/[^;]+|application\/(?:json|xml|javascript))\s*(?:;|$)/i;

/** Parses the target of a request line; undefined if its percent-encoding is invalid. */
export function parseTarget(target: string) {
  const path = target.replace(/^https?:\/\/[^/?]*/i, '') || '/';
  const mark = path.indexOf('?');
  const encoded = mark < 0 ? path : path.slice(0, mark);
  try {
    const segments = encoded.slice(1).split('/').map(decodeURIComponent);
    return {
      segments,
      rawPath: `/${segments.join('/')}`,
      rawQueryString: mark < 0 ? '' : path.slice(mark + 1),
    };
  } catch {
    return undefined;
  }
}

/** Creates the event (payload format 2.0) of a request that matched `routeKey`, with its whole body. */
export function toEvent(
  request: IncomingMessage,
  target: { rawPath: string; rawQueryString: string },
  route: { routeKey: string; pathParameters: Record<string, string> | undefined },
  body: Buffer,
) {
  const sourceIp = (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const headers = headersOf(request, sourceIp, body);
  const cookies = headers['cookie']?.split(/; ?/).filter((cookie) => cookie !== '');
  delete headers['cookie'];
  const now = new Date();
  const isText = textual.test(headers['content-type'] ?? '');
  const domainName = headers['host']?.replace(/:\d+$/, '') ?? 'localhost';
  const method = request.method ?? 'GET';
  return {
    version: '2.0' as const,
    routeKey: route.routeKey,
    rawPath: target.rawPath,
    rawQueryString: target.rawQueryString,
    cookies: cookies?.length ? cookies : undefined,
    headers,
    queryStringParameters: queryOf(target.rawQueryString),
    pathParameters: route.pathParameters,
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName,
      domainPrefix: domainName.split('.')[0] ?? domainName,
      http: {
        method,
        path: target.rawPath,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: requestId(),
      routeKey: route.routeKey,
      stage: '$default',
      time: commonLogTime(now),
      timeEpoch: now.getTime(),
    },
    body: body.length === 0 ? undefined : body.toString(isText ? 'utf8' : 'base64'),
    isBase64Encoded: body.length > 0 && !isText,
  };
}

/** A request id in the format of API Gateway. */
export function requestId(): string {
  return `${randomHex().slice(0, 15)}=`;
}

/**
 * 32 hexadecimal digits. Taken from random UUIDs, which Node caches: much cheaper than requesting random bytes each
 * time.
 */
function randomHex(): string {
  return randomUUID().replaceAll('-', '');
}

/** Lower-cased headers, repeated ones joined by a comma, with those added by API Gateway and its load balancer. */
function headersOf(request: IncomingMessage, sourceIp: string, body: Buffer) {
  const headers: Record<string, string> = Object.create(null);
  const raw = request.rawHeaders;
  for (let i = 0; i < raw.length; i += 2) {
    const name = (raw[i] ?? '').toLowerCase();
    const value = raw[i + 1] ?? '';
    if (hopByHop.has(name)) continue;
    const before = headers[name];
    headers[name] =
      before === undefined ? value : `${before}${name === 'cookie' ? ';' : ','}${value}`;
  }
  if (body.length > 0) headers['content-length'] = String(body.length);
  const forwarded = headers['x-forwarded-for'];
  headers['x-forwarded-for'] = forwarded ? `${forwarded}, ${sourceIp}` : sourceIp;
  headers['x-forwarded-port'] = String(request.socket.localPort ?? '');
  headers['x-forwarded-proto'] = 'http';
  headers['x-amzn-trace-id'] ??= traceId();
  return headers;
}

function queryOf(rawQueryString: string): Record<string, string> | undefined {
  if (rawQueryString === '') return undefined;
  const query: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(rawQueryString)) {
    const before = query[name];
    query[name] = before === undefined ? value : `${before},${value}`;
  }
  return query;
}

function traceId(): string {
  const seconds = Math.floor(Date.now() / 1000).toString(16);
  return `Root=1-${seconds}-${randomHex().slice(0, 24)}`;
}

let logTime = { second: 0, text: '' };

/** `12/Mar/2026:19:03:58 +0000` */
function commonLogTime(now: Date): string {
  const second = Math.floor(now.getTime() / 1000);
  if (logTime.second !== second) {
    const [, day, month, year, time] = now.toUTCString().split(' ');
    logTime = { second, text: `${day}/${month}/${year}:${time} +0000` };
  }
  return logTime.text;
}
