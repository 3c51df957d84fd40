import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { idempotencyPrefix } from '../../shared/db/key-prefixes.ts';
import type { Answer, Call } from '../support/call.ts';
import type { World } from '../support/world.ts';
import type { NamedFault } from './catalogue.ts';
import { countOf } from './counts.ts';
import { laneHeader } from './lanes.ts';
import { canonical, difference, withoutChance } from './normalise.ts';
import type { Item, Lane, Met } from './traced-request.ts';

/** A fault of one try of a call, or of every try of it and of whatever does the same after it. */
export type Trouble = {
  at: Pick<Met, 'name' | 'nth' | 'call'>;
  nthTry: number | 'every';
  fault: NamedFault;
};

/** What a request answered and changed, without what differs by nature. */
type Ran = {
  answer: Answer;
  /** The answer and every changed item. */
  whole: string;
  /** Every changed item. */
  state: string;
  /** By how much each count of tries and mails has grown. They are no part of the rest. */
  counts: Map<string, number>;
};

/** The same request twice, without a fault. */
export type Clean = { first: Ran; second: Ran; met: readonly Met[]; known: string };

/** What is wrong where the trouble met no call. */
export const notMade = 'the call was not made';

/** A sentence for a trouble: `GetItem user: hang before`. */
export const tell = ({ at, nthTry, fault }: Trouble): string => {
  const which = at.nth > 0 ? ` (${at.nth + 1})` : '';
  const when = { 1: '', every: ', every try' }[nthTry] ?? `, try ${nthTry}`;
  return `${at.name}${which}${when}: ${fault.name}`;
};

/** The calls of the present request, with how often each was tried. */
const tellCalls = ({ met }: Lane): string =>
  met.map(({ name, tries }) => `${name} (${tries})`).join(', ');

type Options = {
  world: World;
  lane: Lane;
  /** By which the lane knows the calls of the request. */
  name: string;
  call: Call;
  /** Whether the request carries an Idempotency-Key, and so has one effect and one answer. */
  keyed: boolean;
};

/** Performs one request again and again, each time on the same state of the table. */
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
   * What happens without a fault: what every other performance is compared with. On a busy machine the service may be
   * out of time, which is no answer to compare with.
   */
  async clean(tries = 4): Promise<Clean> {
    await this.send();
    const images = [...(await this.lane.images()).values()];
    const known = JSON.stringify([this.request, images]);
    await this.lane.putBack();
    const first = await this.perform(known);
    const met = [...this.lane.met];
    const second = await this.perform(known);
    await this.lane.putBack();
    const isLate = [first, second].some(({ answer }) => answer.status === 503);
    return isLate && tries > 1 ? this.clean(tries - 1) : { first, second, met, known };
  }

  /**
   * What is wrong with what happens in these troubles, or undefined. The answer is the one without them, or 503 where
   * it may be `unavailable`; the table is then as it was before or as it would be after. The same request, sent once
   * more without trouble, answers and does what it would have done there; with an Idempotency-Key, there is one effect.
   */
  async run(
    troubles: readonly Trouble[],
    clean: Clean,
    { unavailable }: { unavailable: boolean },
  ): Promise<string | undefined> {
    let met = 0;
    this.lane.plan = ({ name, nth, tries }) => {
      const trouble = troubles.find(({ at, nthTry }) =>
        nthTry === 'every'
          ? at.name === name && nth >= at.nth
          : at.name === name && nth === at.nth && tries === nthTry,
      );
      if (trouble) met += 1;
      return trouble?.fault.fault;
    };
    try {
      const ran = await this.perform(clean.known);
      this.lane.plan = undefined;
      const judged = judge(ran, clean.first, unavailable);
      if (met === 0 && ran.answer.status !== 503) return notMade;
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
    // A key that is claimed and not answered is free after a moment.
    for (let i = 0; again.answer.body?.code === 'request_in_progress' && i < 3; i += 1) {
      await sleep(Number(again.answer.headers.get('retry-after')) * 1_000);
      again = await this.perform(clean.known);
    }
    const miscounted = miscount(again, clean.first, 2);
    if (miscounted !== undefined) return miscounted;
    const expected = done && !this.keyed ? clean.second : clean.first;
    if (again.whole !== expected.whole)
      return `sent again after ${ran.answer.status}, by ${tellCalls(this.lane)}:${difference(again.whole, expected.whole)}`;
    if (!this.keyed || ran.answer.status >= 300) return undefined;
    if (again.answer.headers.get('idempotency-replayed') !== 'true') return 'done twice';
    const [one, other] = [ran, again].map(({ answer }) => JSON.stringify(answer.body));
    return one === other ? undefined : `answered twice:\n${one}\n${other}`;
  }

  /** Sends the request under a name of its own, and waits for what it has begun. */
  private async send(): Promise<Answer> {
    this.sent += 1;
    this.lane.request = `${this.name} #${this.sent}`;
    const headers = { ...this.request.headers, [laneHeader]: this.lane.request };
    const answer = await this.world.call({ ...this.request, headers });
    await this.lane.quiet();
    return answer;
  }

  private async perform(known: string): Promise<Ran> {
    this.lane.met.length = 0;
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
    const said = `${answer.status} ${canonical(body)}`;
    return {
      answer,
      whole: withoutChance([said, ...state], known).join('\n'),
      // Only a request that was refused is asked for it.
      get state() {
        return withoutChance(state, known).join('\n');
      },
      counts,
    };
  }
}

/** What is encrypted is other bytes each time; what it decrypts to is in the answer. */
const withoutBytes = (item: NonNullable<Item>) =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => [name, 'B' in value ? { B: '<bytes>' } : value]),
  );

/** What is counted wrong: each request counts once, and none that is answered is forgotten. */
function miscount(ran: Ran, first: Ran, requests: number): string | undefined {
  for (const [name, growth] of ran.counts)
    if (growth > requests) return `counted ${growth} times, of ${requests}: ${name}`;
  if (ran.answer.status === 503) return undefined;
  for (const [name, growth] of first.counts)
    if ((ran.counts.get(name) ?? 0) < growth) return `not counted: ${name}`;
  return undefined;
}

/** Whether what the request was to do is done, or what is wrong. */
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
