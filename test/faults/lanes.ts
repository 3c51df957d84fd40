import { AsyncLocalStorage } from 'node:async_hooks';
import { channel } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { type Sending, sendings } from '../../shared/db/transport/http.ts';

/** The header that names a request to the service, and every DynamoDB call that it makes. */
export const laneHeader = 'x-lane';

const lanes = new AsyncLocalStorage<string | undefined>();

/**
 * Adds a header to each outgoing HTTP request of this process with the name of the incoming request that caused it, so
 * that a proxy can assign the calls of concurrent requests. Works below the SDK, in sources and bundles. Returns a
 * function that stops it.
 */
export function followLanes(): () => void {
  const begin = (message: unknown) => {
    const { request } = message as { request: IncomingMessage };
    lanes.enterWith(request.headers[laneHeader] as string | undefined);
  };
  const pass = (message: unknown) => {
    const { request } = message as { request: ClientRequest };
    const lane = lanes.getStore();
    if (lane !== undefined) request.setHeader(laneHeader, lane);
  };
  const passOurs = (message: unknown) => {
    const lane = lanes.getStore();
    if (lane !== undefined) (message as Sending).headers[laneHeader] = lane;
  };
  const [served, sent] = [
    channel('http.server.request.start'),
    channel('http.client.request.created'),
  ];
  served.subscribe(begin);
  sent.subscribe(pass);
  sendings.subscribe(passOurs);
  return () => {
    served.unsubscribe(begin);
    sent.unsubscribe(pass);
    sendings.unsubscribe(passOurs);
  };
}

/** Runs work as a named request. */
export const inLane = <T>(name: string, work: () => Promise<T>): Promise<T> =>
  lanes.run(name, work);
