import type { IncomingHttpHeaders } from 'node:http';

/** A request to the console, whole. */
export type ConsoleRequest = {
  method: string;
  /** As it came, without the query. */
  path: string;
  /** With its question mark, or empty. */
  query: string;
  headers: IncomingHttpHeaders;
  body: string;
};

export type Answer = {
  status: number;
  headers?: Record<string, string>;
  body: string | Buffer;
};

export const json = (body: unknown, status = 200): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
