import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { idempotencyPrefix } from '../../shared/db/key-prefixes.ts';
import type { Answer, Call } from '../support/call.ts';
import type { World } from '../support/world.ts';
import type { NamedFault } from './catalogue.ts';
import { countOf } from './counts.ts';
import { laneHeader } from './lanes.ts';
import { canonical, difference, withoutChance } from './normalise.ts';
import type { Item, Lane, TracedCall } from './traced-request.ts';

/** A fault of one try of a call, or of every try of it and of later equal calls. */
export type PlannedFault = {
  at: Pick<TracedCall, 'name' | 'nth' | 'call'>;
  nthTry: number | 'every';
  fault: NamedFault;
};

/** The response and the changes of a request, without ids, times and random bytes. */
type Ran = {
  answer: Answer;
  /** The response and every changed item. */
  whole: string;
  /** Every changed item. */
  state: string;
  /** The growth of each counter of attempts and mails, which the other fields exclude. */
  counts: Map<string, number>;
};

/** Two runs of the request without a fault. */
export type Clean = { first: Ran; second: Ran; calls: readonly TracedCall[]; known: string };

/** The problem of a run in which the fault applied to no call. */
export const notMade = 'the call was not made';

/** Describes a planned fault: `GetItem user: hang before`. */
export const describeFault = ({ at, nthTry, fault }: PlannedFault): string => {
  const which = at.nth > 0 ? ` (${at.nth + 1})` : '';
  const when = { 1: '', every: ', every try' }[nthTry] ?? `, try ${nthTry}`;
  return `${at.name}${which}${when}: ${fault.name}`;
};

/** The calls of the current request, with their numbers of tries. */
const callList = ({ calls }: Lane): string =>
  calls.map(({ name, tries }) => `${name} (${tries})`).join(', ');

type Options = {
  world: World;
  lane: Lane;
  /** Identifies the calls of the request in the lane. */
  name: string;
  call: Call;
  /** Whether the request has an Idempotency-Key, and so is executed once with one response. */
  keyed: boolean;
};

/** Runs one request repeatedly, each time on the same state of the table. */
export class Trial {
  private readonly world: World;
  private readonly lane: Lane;
  private readonly name: string;
  private readonly request: Call;
  private readonly keyed: boolean;
  private sent = 0;

  constructor({ world, lane, name, call, keyed }: Options) {
    const { method, path, auth, body, query, headers } = call;
    this.world = world;
    this.lane = lane;
    this.name = name;
    this.keyed = keyed;
    this.request = {
      method,
      path,
      auth,
      body,
      ...(query && { query }),
      headers: {
        ...headers,
        ...(keyed && { 'idempotency-key': randomUUID() }),
      },
    };
  }

  /**
   * Runs the request without a fault, as the reference for all other runs. Repeated if the service times out on a busy
   * machine.
   */
  async clean(tries = 4): Promise<Clean> {
    await this.send();
    const images = [...(await this.lane.images()).values()];
    const known = JSON.stringify([this.request, images]);
    await this.lane.putBack();
    const first = await this.perform(known);
    const calls = [...this.lane.calls];
    const second = await this.perform(known);
    await this.lane.putBack();
    const isLate = [first, second].some(({ answer }) => answer.status === 503);
    return isLate && tries > 1 ? this.clean(tries - 1) : { first, second, calls, known };
  }

  /**
   * Runs the request with these faults and returns the problem, or undefined. The response must be the one without
   * faults, or 503 if it may be `unavailable`; the table must then be unchanged or completely changed. The same
   * request, sent again without faults, must respond and write as it would have in that state; with an Idempotency-Key,
   * it must be executed once.
   */
  async run(
    plannedFaults: readonly PlannedFault[],
    clean: Clean,
    { unavailable }: { unavailable: boolean },
  ): Promise<string | undefined> {
    let applied = 0;
    this.lane.plan = ({ name, nth, tries }) => {
      const plannedFault = plannedFaults.find(({ at, nthTry }) =>
        nthTry === 'every'
          ? at.name === name && nth >= at.nth
          : at.name === name && nth === at.nth && tries === nthTry,
      );
      if (plannedFault) applied += 1;
      return plannedFault?.fault.fault;
    };
    try {
      const ran = await this.perform(clean.known);
      this.lane.plan = undefined;
      const judged = judge(ran, clean.first, unavailable);
      if (applied === 0 && ran.answer.status !== 503) return notMade;
      if (typeof judged === 'string') return judged;
      return await this.again(ran, clean, judged.done);
    } finally {
      this.lane.plan = undefined;
      await this.lane.putBack();
    }
  }

  /** Sends the request once more. */
  private async again(ran: Ran, clean: Clean, done: boolean): Promise<string | undefined> {
    let again = await this.perform(clean.known);
    // A key that is claimed without a response is released after a moment.
    for (let i = 0; again.answer.body?.code === 'request_in_progress' && i < 3; i += 1) {
      await sleep(Number(again.answer.headers.get('retry-after')) * 1_000);
      again = await this.perform(clean.known);
    }
    const miscounted = miscount(again, clean.first, 2);
    if (miscounted !== undefined) return miscounted;
    const expected = done && !this.keyed ? clean.second : clean.first;
    if (again.whole !== expected.whole)
      return `sent again after ${ran.answer.status}, by ${callList(this.lane)}:${difference(again.whole, expected.whole)}`;
    if (!this.keyed || ran.answer.status >= 300) return undefined;
    if (again.answer.headers.get('idempotency-replayed') !== 'true') return 'done twice';
    const [one, other] = [ran, again].map(({ answer }) => JSON.stringify(answer.body));
    return one === other ? undefined : `answered twice:\n${one}\n${other}`;
  }

  /** Sends the request under a unique name, and waits for the calls that it has started. */
  private async send(): Promise<Answer> {
    this.sent += 1;
    this.lane.request = `${this.name} #${this.sent}`;
    const headers = { ...this.request.headers, [laneHeader]: this.lane.request };
    const answer = await this.world.call({ ...this.request, headers });
    await this.lane.quiet();
    return answer;
  }

  private async perform(known: string): Promise<Ran> {
    this.lane.calls.length = 0;
    const answer = await this.send();
    const before = await this.lane.images();
    const state: string[] = [];
    const counts = new Map<string, number>();
    for (const [key, item] of await this.lane.changes()) {
      const counted = countOf(key, before.get(key), item);
      if (counted) counts.set(counted.name, (counts.get(counted.name) ?? 0) + counted.growth);
      const rest = counted ? counted.rest : item;
      if (!(counted && rest === undefined) && !key.startsWith(`["${idempotencyPrefix}`))
        state.push(`${key} ${canonical(rest ? withoutBytes(rest) : null)}`);
    }
    const { request_id: _, ...body } = Object(answer.body) as Record<string, unknown>;
    const outcome = `${answer.status} ${canonical(body)}`;
    return {
      answer,
      whole: withoutChance([outcome, ...state], known).join('\n'),
      // Lazy: read only if the request was rejected.
      get state() {
        return withoutChance(state, known).join('\n');
      },
      counts,
    };
  }
}

/** Ciphertexts differ each time; the plaintext is in the response. */
const withoutBytes = (item: NonNullable<Item>) =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => [name, 'B' in value ? { B: '<bytes>' } : value]),
  );

/**
 * The wrong counter, if any: each request counts at most once, and each with a response other than 503 exactly once.
 */
function miscount(ran: Ran, first: Ran, requests: number): string | undefined {
  for (const [name, growth] of ran.counts)
    if (growth > requests) return `counted ${growth} times, of ${requests}: ${name}`;
  if (ran.answer.status === 503) return undefined;
  for (const [name, growth] of first.counts)
    if ((ran.counts.get(name) ?? 0) < growth) return `not counted: ${name}`;
  return undefined;
}

/** Whether the request was executed, or the problem. */
function judge(ran: Ran, first: Ran, unavailable: boolean): { done: boolean } | string {
  const miscounted = miscount(ran, first, 1);
  if (miscounted !== undefined) return miscounted;
  if (ran.whole === first.whole) return { done: true };
  const { status, headers, body } = ran.answer;
  if (status !== 503 || body.code !== 'temporarily_unavailable' || !unavailable)
    return `answered:${difference(ran.whole, first.whole)}`;
  if (!headers.has('retry-after')) return 'answered 503 without Retry-After';
  if (ran.state === '') return { done: first.state === '' };
  if (ran.state === first.state) return { done: true };
  return `left half done:${difference(ran.state, first.state)}`;
}
