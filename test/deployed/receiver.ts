import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { listenOnLoopback } from '../../local/loopback.ts';
import { makeCertificate } from './certificate.ts';

/** Known to internet.mjs. */
const receiverHost = 'hooks.example.com';

export type Received = { headers: Record<string, string>; body: string };

/** A customer's program that receives webhooks over TLS. Each path is a separate receiver. */
export type Receiver = {
  port: number;
  /** PEM, for clients that must trust it. */
  certificate: string;
  /** A receiver that responds with these statuses one after another, and then with 204. */
  at(path: string, ...statuses: number[]): { url: string; received: Received[] };
  /** Forwards one path, or all other paths, to a program on this machine, and returns its public address. */
  leadTo(origin: string, path?: string): string;
  close(): void;
};

export async function startReceiver(): Promise<Receiver> {
  const { key, cert } = makeCertificate(receiverHost);
  const paths = new Map<string, { received: Received[]; statuses: number[] }>();
  /** Programs on this machine by path; `undefined` stands for all other paths. */
  const elsewhere = new Map<string | undefined, string>();
  const server = createServer({ key, cert }, (request, response) => {
    void (async () => {
      const body = await text(request);
      const origin = elsewhere.get(request.url) ?? elsewhere.get(undefined);
      if (origin !== undefined && !paths.has(request.url ?? '')) {
        const { method = 'GET', url = '', headers } = request;
        const { authorization = '', 'content-type': type = '', accept = '' } = headers;
        const answer = await fetch(origin + url, {
          method,
          headers: { authorization, accept, ...(type && { 'content-type': type }) },
          ...(method === 'POST' && { body }),
        });
        response.writeHead(answer.status, {
          'content-type': answer.headers.get('content-type') ?? 'text/plain',
        });
        return response.end(await answer.text());
      }
      const path = paths.get(request.url ?? '');
      path?.received.push({ headers: single(request.headers), body });
      response.writeHead(path ? (path.statuses.shift() ?? 204) : 404).end();
    })();
  });
  const { port } = new URL(await listenOnLoopback(server));
  return {
    port: Number(port),
    certificate: cert,
    at(path, ...statuses) {
      const received: Received[] = [];
      paths.set(path, { received, statuses });
      return { url: `https://${receiverHost}${path}`, received };
    },
    leadTo(origin, path) {
      elsewhere.set(path, origin);
      return `https://${receiverHost}${path ?? ''}`;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function single(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
