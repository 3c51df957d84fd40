import { randomUUID } from 'node:crypto';
import { takesIdempotencyKey } from '../../shared/contract/route.ts';
import { doneAfter } from '../faults/fault.ts';
import { inLane } from '../faults/lanes.ts';
import { randomOf } from '../faults/random.ts';
import { isDocumented } from '../soak/checker/answers.ts';
import { tableIsSound } from '../soak/checker/table.ts';
import type { Stored } from '../soak/history.ts';
import type { Answer, Call } from '../support/call.ts';
import type { startFaultyWorld } from '../support/faulty-world.ts';
import { requestsAbout, type Second } from './pairs-between.ts';
import { outcomes, prepare } from './pairs-first.ts';

type Stage = Awaited<ReturnType<typeof startFaultyWorld>>;

/**
 * Runs pairs of requests: the second one, which ends or changes what the first relies on, runs completely just before a
 * call of the first to the table. Returns every problem, and how many pairs met so.
 */
export async function runPairs({ world, faults }: Stage, seed: number, pairs: number) {
  const random = randomOf(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const send = (lane: string) => (request: Call) => inLane(lane, () => world.call(request));
  const wrong: string[] = [];
  /** The pair that made a partition: a later one names it when its stream functions run. */
  const pairOf = new Map<string, string>();
  let met = 0;

  async function runPair(pair: number): Promise<void> {
    const outcome = pick(outcomes);
    const { name: operation } = outcome.route;
    faults.reset();
    const { call, title, project } = await prepare(world, outcome, random);
    const keyed = takesIdempotencyKey(outcome.route) && random() < 0.5;
    const key = keyed && { 'idempotency-key': randomUUID() };
    const first = { ...call, headers: { ...call.headers, ...key } };
    const same: Second = { operation, input: 'the same', send: () => send('second')(call) };
    const named = requestsAbout(keysIn(faults.calls), send('second'), { project, call });
    const second = pick(pick([[same], ...named]));
    const nth = 1 + Math.floor(random() * (outcome.calls + (keyed ? 2 : 0)));
    const described =
      `seed ${seed}, pair ${pair}: ${title}${keyed ? ', with an Idempotency-Key' : ''}; ` +
      `before its call ${nth}: ${second.operation} ${JSON.stringify(second.input)}`;

    const lane = `pair ${pair}`;
    let between: Answer | undefined;
    let calls = 0;
    const work = async () => {
      between = await second.send();
    };
    faults.inject(doneAfter(work), { when: (each) => each.lane === lane && (calls += 1) === nth });
    const answer = await send(lane)(first);
    if (between) met += 1;

    const problems = [
      ...documented(operation, answer),
      ...(between ? documented(second.operation, between) : []),
      ...(keyed && answer.status < 300 ? await sameAgain(answer, first) : []),
    ];
    const answers = `first: ${shown(answer)}\n  second: ${between ? shown(between) : 'not sent'}`;
    if (problems.length > 0) wrong.push([described, answers, ...problems].join('\n  '));
    for (const { pk } of keysIn(faults.calls)) if (!pairOf.has(pk)) pairOf.set(pk, described);
  }

  /** A retry with the same Idempotency-Key gets the same response, unless its caller has ended. */
  async function sameAgain(answer: Answer, first: Call): Promise<string[]> {
    const again = await send('retry')(first);
    if (shown(again) === shown(answer)) return [];
    const hasEnded = async () => (await world.call('GET', '/users/me', first.auth)).status === 401;
    if (again.status === 401 && (await hasEnded())) return [];
    return [`the retry: ${shown(again)}`];
  }

  for (let pair = 1; pair <= pairs; pair += 1) await runPair(pair);
  await world.drainStream();
  const items = (await world.table.all()) as Stored[];
  for (const { rule, what } of tableIsSound({ entries: [], scan: scanOf(items), projects: [] })) {
    const [, pair] = [...pairOf].find(([pk]) => pk.includes('#') && what.includes(pk)) ?? [];
    wrong.push(`${pair ?? `seed ${seed}`}\n  ${rule}: ${what}`);
  }
  return { wrong, met };
}

/** The indexes are those of the engine, which keeps them. */
const scanOf = (items: readonly Stored[]) => ({
  at: 0,
  items,
  indexes: {
    'by-email': items.filter(({ by_email_pk }) => by_email_pk !== undefined),
    'by-member': items.filter(({ by_member_pk }) => by_member_pk !== undefined),
  },
});

const keyPattern = /"pk":\{"S":"([^"]+)"\},"sk":\{"S":"([^"]+)"\}/g;
/** The keys of the items that these calls name. */
const keysIn = (calls: readonly { text: string }[]) =>
  calls.flatMap(({ text }) =>
    Array.from(text.matchAll(keyPattern), ([, pk = '', sk = '']) => ({ pk, sk })),
  );

const shown = ({ status, body }: Answer): string => `${status} ${JSON.stringify(body)}`;

const documented = (name: string, { status, body }: Answer): string[] =>
  isDocumented(name, status, String(body?.code)) ? [] : [`${name} does not document ${status}`];
