import type { IncomingMessage } from 'node:http';
import type { Answer } from './answer.ts';

/** The CORS configuration of an HTTP API. */
export type Cors = {
  origins: readonly string[];
  methods: readonly string[];
  headers: readonly string[];
  exposed: readonly string[];
  /** Seconds. */
  maxAge: number;
};

/** The response to a preflight request, which never reaches a function; undefined for any other request. */
export function preflight(cors: Cors, request: IncomingMessage): Answer | undefined {
  const method = request.headers['access-control-request-method'];
  if (request.method !== 'OPTIONS' || !request.headers.origin || !method) return undefined;
  const origin = allowedOrigin(cors, request);
  const headers: Answer['headers'] = origin
    ? {
        'access-control-allow-origin': origin,
        'access-control-allow-methods': cors.methods.join(','),
        'access-control-allow-headers': cors.headers.join(','),
        'access-control-max-age': String(cors.maxAge),
      }
    : {};
  return { status: 204, headers, body: '' };
}

/** Replaces any CORS headers of the function, as API Gateway does if CORS is configured. */
export function applyCors(cors: Cors, request: IncomingMessage, answer: Answer): Answer {
  for (const name of Object.keys(answer.headers)) {
    if (name.startsWith('access-control-')) delete answer.headers[name];
  }
  const origin = allowedOrigin(cors, request);
  if (origin) {
    answer.headers['access-control-allow-origin'] = origin;
    if (cors.exposed.length > 0) {
      answer.headers['access-control-expose-headers'] = cors.exposed.join(',');
    }
  }
  return answer;
}

function allowedOrigin(cors: Cors, request: IncomingMessage): string | undefined {
  const { origin } = request.headers;
  if (!origin) return undefined;
  if (cors.origins.includes('*')) return '*';
  return cors.origins.includes(origin) ? origin : undefined;
}
