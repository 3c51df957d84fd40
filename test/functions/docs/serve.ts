import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { docs } from '#shared/contract/docs.ts';
import type { Loader } from '../../../local/aws/lambda.ts';
import { startGateway } from '../../../local/http/gateway.ts';
import { fromSource } from '../../../local/load.ts';

/** Serves only the documentation, which needs no table, and requests a path. */
export async function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  const url = await serve();
  return fetch(`${url}${path}`, { headers, redirect: 'manual' });
}

/** The response as sent over the network: fetch would decompress it. */
export async function getRaw(path: string, headers: Record<string, string>, load?: Loader) {
  const request = httpGet(`${await serve(load)}${path}`, { headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

/** Serves the functions from source or from bundles. Resolves with the address. */
async function serve(load: Loader = fromSource): Promise<string> {
  process.env['BASE_URL'] ??= 'http://127.0.0.1';
  process.env['LOG_LEVEL'] ??= 'silent';
  // The first request to each transforms its source, which takes seconds on a busy machine.
  const functionTimeout = 20_000;
  const routes = Object.values(docs);
  const gateway = await startGateway({ routes, load, fallback: null, functionTimeout });
  onTestFinished(() => gateway.close());
  return gateway.url;
}
