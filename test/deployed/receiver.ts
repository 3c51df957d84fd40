import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { makeCertificate } from './certificate.ts';

/** Known to internet.mjs. */
const receiverHost = 'hooks.example.com';

export type Received = { headers: Record<string, string>; body: string };

/** A program of a customer that takes webhooks over TLS. Each path is a receiver of its own. */
export type Receiver = {
  port: number;
  /** PEM, for who is to trust it. */
  certificate: string;
  /** A receiver that answers these statuses one after the other, and then 204. */
  at(path: string, ...statuses: number[]): { url: string; received: Received[] };
  close(): void;
};

export async function startReceiver(): Promise<Receiver> {
  const { key, cert } = makeCertificate(receiverHost);
  const paths = new Map<string, { received: Received[]; statuses: number[] }>();
  const server = createServer({ key, cert }, (request, response) => {
    void (async () => {
      const body = await text(request);
      const path = paths.get(request.url ?? '');
      path?.received.push({ headers: single(request.headers), body });
      response.writeHead(path ? (path.statuses.shift() ?? 204) : 404).end();
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    certificate: cert,
    at(path, ...statuses) {
      const received: Received[] = [];
      paths.set(path, { received, statuses });
      return { url: `https://${receiverHost}${path}`, received };
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
