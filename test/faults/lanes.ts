import { AsyncLocalStorage } from 'node:async_hooks';
import { channel } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { type Sending, sendings } from '../../shared/db/transport/http.ts';

/** The header that names a request to the service, and every call to DynamoDB that it makes. */
export const laneHeader = 'x-lane';

const lanes = new AsyncLocalStorage<string | undefined>();

/**
 * From now on each HTTP request that leaves this process says in a header which request of ours it follows from, if
 * that one had a name: so many of them can be under way at once, and a proxy still tells whose call it has. It works
 * beneath the SDK, in a source as in a bundle. Returns how to end it.
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

/** Does work as a named request does. */
export const inLane = <T>(name: string, work: () => Promise<T>): Promise<T> =>
  lanes.run(name, work);
