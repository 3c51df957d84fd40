import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import { isObject, parseJson } from '../../shared/model/json-object.ts';
import { type Failing, failures } from '../injected-failures.ts';
import { refusal, serveJson } from '../loopback.ts';
import { startDeliveries } from './deliveries.ts';

/** An event as a rule passes it to its target. */
export type Envelope = {
  version: '0';
  id: string;
  'detail-type': string;
  source: string;
  account: string;
  time: string;
  region: string;
  resources: string[];
  detail: unknown;
};

/**
 * A simulated failure of a call: an error of the service, entries rejected by index, no response at all, or a
 * connection that breaks after the entries were accepted.
 */
export type BusFault = { status: number; code: string } | { refuse: number[] } | 'hang' | 'lose';

export type Bus = Failing<BusFault> & {
  endpoint: string;
  /** The retained events, in order of arrival. */
  put(): Envelope[];
  /** Invokes a target with every event from now on, up to three times on failure, as Lambda does. */
  subscribe(target: (envelope: Envelope) => Promise<unknown>): void;
  /**
   * Resolves when the targets have processed, or failed, every event; with whether there were new events since the last
   * call.
   */
  settled(): Promise<boolean>;
  close(): Promise<void>;
};

type BusOptions = {
  name: string;
  onError?: (error: unknown) => void;
  /** How many events `put` retains; few in long-running servers, which never read them. */
  kept?: number;
};

/** Limits of PutEvents. */
const limits = { entries: 10, bytes: 256 * 1024 };

const entry = z.strictObject({
  EventBusName: z.string(),
  Source: z.string().min(1),
  DetailType: z.string().min(1),
  Detail: z.string(),
});
/** The subset of PutEvents that the service uses; anything else fails here, so that it is noticed. */
const request = z.strictObject({ Entries: z.array(entry).min(1).max(limits.entries) });
type Entry = z.output<typeof entry>;

/** Serves PutEvents with the protocol of EventBridge on a free loopback port, for one bus. */
export async function startBus({ name, onError, kept = 10_000 }: BusOptions): Promise<Bus> {
  const events: Envelope[] = [];
  const { failing, nextFault } = failures<BusFault>();
  const { subscribe, deliver, settled } = startDeliveries<Envelope>(onError);

  function answer(incoming: IncomingMessage, body: string) {
    if (incoming.headers['x-amz-target'] !== 'AWSEvents.PutEvents')
      return refusal(400, 'UnknownOperationException', 'There is only PutEvents here.');
    const fault = nextFault();
    if (fault === 'hang') return fault;
    if (typeof fault === 'object' && 'status' in fault)
      return refusal(fault.status, fault.code, 'An injected fault.');
    const { data, error } = request.safeParse(JSON.parse(body));
    if (!data) return refusal(400, 'ValidationException', z.prettifyError(error));
    if (data.Entries.reduce((sum, each) => sum + sizeOf(each), 0) > limits.bytes)
      return refusal(400, 'ValidationException', 'Total size of the entries is over the limit.');
    const refused = typeof fault === 'object' ? fault.refuse : [];
    const Entries = data.Entries.map((each, place) =>
      refused.includes(place)
        ? { ErrorCode: 'InternalFailure', ErrorMessage: 'An injected fault.' }
        : take(each),
    );
    const FailedEntryCount = Entries.filter((each) => 'ErrorCode' in each).length;
    return fault === 'lose' ? fault : { status: 200, body: { FailedEntryCount, Entries } };
  }

  function take({ EventBusName, Source, DetailType, Detail }: Entry) {
    const detail = parseJson(Detail);
    if (EventBusName !== name)
      return { ErrorCode: 'ResourceNotFoundException', ErrorMessage: `No bus ${EventBusName}.` };
    if (!isObject(detail))
      return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
    const envelope: Envelope = {
      version: '0',
      id: randomUUID(),
      'detail-type': DetailType,
      source: Source,
      account: '000000000000',
      // In whole seconds, as in EventBridge.
      time: new Date().toISOString().replace(/\.\d+/, ''),
      region: 'local',
      resources: [],
      detail,
    };
    events.push(envelope);
    events.splice(0, Math.max(0, events.length - kept));
    deliver(envelope);
    return { EventId: envelope.id };
  }

  const server = await serveJson('application/x-amz-json-1.1', answer);
  return {
    endpoint: server.endpoint,
    put: () => [...events],
    ...failing,
    subscribe,
    settled,
    async close() {
      server.close();
      await settled();
    },
  };
}

/** The size of an entry as EventBridge counts it. */
function sizeOf({ Source, DetailType, Detail }: Entry): number {
  return Buffer.byteLength(Source) + Buffer.byteLength(DetailType) + Buffer.byteLength(Detail);
}
