import { Agent, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenOnLoopback } from '../../local/loopback.ts';
import { InFlight } from './conflicts.ts';
import { type Answered, answer, type Call, type Fault } from './fault.ts';
import { laneHeader } from './lanes.ts';
import { startStaleIndex } from './stale-index.ts';
import { DurableTokens } from './tokens.ts';
import { send } from './wire.ts';

/** Chooses what happens to a call; undefined lets the engine answer it. */
export type Choose = (call: Call) => Fault | undefined;

export type ProxyOptions = {
  /** The current URL of the engine. */
  engine: () => string;
  choose?: Choose;
  /**
   * Rejects a write that overlaps one in flight, as DynamoDB does and no local engine. `hold` keeps each write in
   * flight for this many milliseconds.
   */
  conflicts?: boolean | { hold: (call: Call) => number };
  /** Answers index queries from a copy that lags by 50 to 450 ms, by the seed. */
  staleIndex?: { seed: number };
  /** Stores the tokens of transactions in the engine's own file, so that a retry is recognised after a restart. */
  durableTokens?: boolean;
  /** Records every call. Off for long runs, which would need too much memory. */
  record?: boolean;
};

export type Proxy = {
  url: string;
  /** Every call, in order of arrival, if recorded. */
  calls: Call[];
  counts: { calls: number; conflicts: number; staleReads: number; unanswered: number };
  choose(choose: Choose | undefined): void;
  /** Resolves when no call is in flight and the index copy has caught up. */
  quiet(): Promise<void>;
  close(): Promise<void>;
};

/** Starts a proxy for a real engine on loopback, which can inject faults into DynamoDB's protocol. */
export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  const { engine, record = true } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const counts = { calls: 0, conflicts: 0, staleReads: 0, unanswered: 0 };
  const calls: Call[] = [];
  const inFlight = options.conflicts ? new InFlight() : undefined;
  const hold = typeof options.conflicts === 'object' ? options.conflicts.hold : () => 2;
  const tokens = options.durableTokens ? new DurableTokens() : undefined;
  const stale = options.staleIndex && (await startStaleIndex({ engine, ...options.staleIndex }));
  const underWay = new Set<Promise<unknown>>();
  let choose = options.choose;

  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    const raw = await buffer(incoming);
    const target = String(incoming.headers['x-amz-target']);
    const text = raw.toString();
    const call: Call = {
      operation: target.split('.')[1] ?? '',
      body: JSON.parse(text),
      text,
      lane: incoming.headers[laneHeader] as string | undefined,
    };
    counts.calls += 1;
    if (record) calls.push(call);

    const toEngine = (body: unknown = call.body): Promise<Answered> => {
      const bytes = body === call.body ? raw : Buffer.from(JSON.stringify(body));
      return send(engine(), agent, incoming, bytes);
    };
    const applied = async (body: unknown = call.body): Promise<Answered> => {
      if (stale?.answers(call)) {
        counts.staleReads += 1;
        return stale.answer(incoming, body);
      }
      const answered = await (tokens?.transact(call, body, toEngine) ?? toEngine(body));
      if (call.operation === 'CreateTable' && answered.status === 200) {
        await stale?.create(incoming, call);
        await tokens?.create((sent) => send(engine(), agent, incoming, Buffer.from(sent)));
      }
      return answered;
    };
    const forward = async (body?: unknown): Promise<Answered> => {
      if (!inFlight) return applied(body);
      const answered = await inFlight.run(call, () => applied(body), hold(call));
      if (answered.conflict) counts.conflicts += 1;
      return answered;
    };
    const fault = choose?.(call);
    if (fault) return fault({ ...call, forward, response });
    return answer(response, await forward());
  };

  const server = createServer((incoming, response) => {
    const work = serve(incoming, response)
      .catch(() => {
        // The engine was killed before or during the call: it is unknown whether the call was executed.
        counts.unanswered += 1;
        response.destroy();
      })
      .finally(() => underWay.delete(work));
    underWay.add(work);
  });
  const url = await listenOnLoopback(server);
  return {
    url,
    calls,
    counts,
    choose: (chosen) => {
      choose = chosen;
    },
    async quiet() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
      await stale?.caughtUp();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      agent.destroy();
      await stale?.close();
    },
  };
}
