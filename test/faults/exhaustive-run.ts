import { setTimeout as sleep } from 'node:timers/promises';
import { catalogue, isRead, type NamedFault, oneOfEachKind } from './catalogue.ts';
import { type Clean, notMade, Trial, type Trouble, tell } from './fault-run.ts';
import type { Case, Scene } from './scene.ts';
import type { Met } from './traced-request.ts';

/** Milliseconds after which a case is prepared anew: some of what it holds is good for a minute. */
const fresh = 30_000;
type Options = {
  onRun?: (report: Report, name: string, wrong: string | undefined) => unknown;
  /**
   * How many cases are performed at once, and how many of those whose faults take no time: those need the processor.
   */
  width?: { all: number; quick: number };
};

/** One performance: its troubles, and whether the service may then say that it cannot answer. */
export type Run = { troubles: Trouble[]; unavailable: boolean };

/** The runs of an endpoint that makes these calls, without or with an Idempotency-Key. */
export type Choose = (met: Clean['met'], keyed: boolean, operation: string) => Run[];

export type Report = {
  runs: number;
  /** How often each fault happened. */
  faults: Record<string, number>;
  /** What is wrong, by endpoint. */
  wrong: Map<string, string[]>;
};

/**
 * Whether a request asks for several changes that happen each by itself: of a failure that lasts some remain, whole
 * and reported. test/shared/identity/import-users.test.ts has such a failure.
 */
const isSeveral = ({ one, call }: Prepared): boolean =>
  one.operation === 'users.import' && (call.body as { users: readonly unknown[] }).users.length > 1;

type Prepared = { one: Case; call: Awaited<ReturnType<Case['prepare']>>; since: number };

/** Performs every case in every trouble, many at a time, and says what is wrong. */
export async function exhaust(
  scene: Scene,
  cases: readonly Case[],
  choose: Choose,
  { onRun, width = { all: 16, quick: 3 } }: Options = {},
): Promise<Report> {
  const report: Report = { runs: 0, faults: {}, wrong: new Map() };
  const tried = new Set<string>();
  const quick = semaphore(width.quick);

  /** Each trouble of an endpoint is tried once, whichever of its cases comes first with it. */
  const isNew = (name: string) => !tried.has(name) && tried.add(name).size > 0;

  const open = async ({ one, call, since }: Prepared, keyed: boolean) => {
    const name = nameOf(one, keyed);
    const lane = scene.openLane(name);
    const trial = new Trial({ world: scene.world, lane, name, call, keyed });
    return { trial, clean: await quick(() => trial.clean()), since };
  };
  const attempt = async ({ trial, clean }: Awaited<ReturnType<typeof open>>, run: Run) => {
    report.runs += 1;
    for (const { fault } of run.troubles)
      report.faults[fault.name] = (report.faults[fault.name] ?? 0) + 1;
    const work = () => trial.run(run.troubles, clean, run);
    return isSlow(run) ? work() : quick(work);
  };
  const note = (one: Case, keyed: boolean, run: Run, wrong: string | undefined) => {
    const name = `${nameOf(one, keyed)}: ${titleOf(run)}`;
    if (wrong !== undefined) wrongOf(one).push(`${name}: ${wrong}`);
    onRun?.(report, name, wrong);
  };
  const wrongOf = ({ operation }: Case) => {
    const wrong = report.wrong.get(operation) ?? [];
    report.wrong.set(operation, wrong);
    return wrong;
  };
  const perform = async (prepared: Prepared, keyed: boolean) => {
    const { one } = prepared;
    wrongOf(one);
    const isStale = (since: number) => !one.alone && Date.now() - since > fresh;
    const renew = async () => open(await quick(() => prepare(one)), keyed);
    let at = isStale(prepared.since) ? await renew() : await open(prepared, keyed);
    const again = async (run: Run) => {
      if (isStale(at.since)) at = await renew();
      return attempt(at, run);
    };
    const late: Run[] = [];
    for (const run of choose(at.clean.met, keyed, one.operation)) {
      if (run.unavailable && isSeveral(prepared)) continue;
      if (!isNew(`${one.operation} ${keyed} ${titleOf(run)}`)) continue;
      const wrong = await again(run);
      if (wrong?.includes('temporarily_unavailable') || wrong === notMade) late.push(run);
      else note(one, keyed, run, wrong);
    }
    // What came too late may have come so for want of a processor: it has three more tries. So may a call of the run
    // before, which then counts as the first of its name.
    for (const run of late) {
      let wrong = await again(run);
      for (let i = 0; i < 2 && wrong !== undefined; i += 1) wrong = await again(run);
      note(one, keyed, run, wrong);
    }
  };

  // First all of them, and then first those that cannot be prepared beside others: the sign-ins, which are prepared
  // last, since their tokens and keys are good for minutes.
  const prepared: Prepared[] = [];
  for (const one of cases.toReversed()) prepared.push(await prepare(one));
  await scene.endStream();
  const queues = new Map<string, Prepared[]>();
  for (const each of prepared.toSorted((a, b) => Number(b.one.alone) - Number(a.one.alone))) {
    const name = each.one.sharing ?? each.one.name;
    queues.set(name, [...(queues.get(name) ?? []), each]);
  }
  const work = queues.values();
  const worker = async () => {
    for (const queue of work)
      for (const each of queue) {
        await perform(each, false);
        if (each.one.changes) await perform(each, true);
      }
  };
  await Promise.all(Array.from({ length: width.all }, worker));
  return report;
}

const nameOf = ({ name }: Case, keyed: boolean): string => `${name}${keyed ? ', with a key' : ''}`;
const titleOf = ({ troubles }: Run): string => troubles.map(tell).join(' and ');
const isSlow = ({ troubles }: Run): boolean =>
  troubles.some(({ nthTry, fault }) => nthTry === 'every' || fault.slow);

/** Prepares a case; on a busy machine the service may be out of time. */
async function prepare(one: Case, tries = 8): Promise<Prepared> {
  try {
    return { one, call: await one.prepare(), since: Date.now() };
  } catch (error) {
    if (tries === 1) throw error;
    await sleep(500);
    return prepare(one, tries - 1);
  }
}

/** Lets so many work at a time. */
function semaphore(most: number) {
  let free = most;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

/** Chooses faults of a call of an endpoint. */
type Faults = (at: Met, operation: string) => readonly NamedFault[];

/** Which faults of each call happen at its first try, and which at every one; with a key, those that may matter. */
type Choice = { once: Faults; always: Faults; onceWithKey: Faults; alwaysWithKey: Faults };

const named =
  (...names: readonly string[]): Faults =>
  ({ call }) =>
    catalogue.filter(({ fits, name }) => names.includes(name) && fits(call));

const alone =
  ({ once, always, onceWithKey, alwaysWithKey }: Choice): Choose =>
  (met, keyed, operation) =>
    met.flatMap((at) => {
      const first = keyed ? onceWithKey : once;
      const lasting = keyed ? alwaysWithKey : always;
      return [
        ...first(at, operation).map(
          (fault): Run => ({ troubles: [{ at, nthTry: 1, fault }], unavailable: false }),
        ),
        ...lasting(at, operation).map(
          (fault): Run => ({ troubles: [{ at, nthTry: 'every', fault }], unavailable: true }),
        ),
      ];
    });

/** Not done, done, and an argument between two. */
const lasting = named('500', 'reset after', 'cancelled: TransactionConflict');

/** Every fault of each call by itself. */
export const single = alone({
  once: ({ call }) => catalogue.filter(({ fits }) => fits(call)),
  always: lasting,
  // Those that the record of a key could take for something else.
  onceWithKey: named('reset before', 'reset after', 'late call', 'cancelled: TransactionConflict'),
  alwaysWithKey: lasting,
});

const kindsOf: Faults = ({ call, name, nth }, operation) =>
  oneOfEachKind(call, `${operation} ${name} ${nth}`);

/**
 * A fault of every kind of each call by itself, and with a key one that lasts: what there is time for with every
 * change. A read that is sent again is the same with a key and without.
 */
export const ofEachKind = alone({
  once: kindsOf,
  always: named(),
  onceWithKey: (at, operation) =>
    isRead(at.call) ? [] : named('reset after', 'late call')(at, operation),
  alwaysWithKey: named('500'),
});

/** Every two faults: of two calls, or of the first two tries of one. The service may be out of time by then. */
export const pairs: Choose = (met, _keyed, operation) =>
  met.flatMap((at, i) =>
    met.slice(i).flatMap((other) =>
      kindsOf(at, operation).flatMap((first) =>
        kindsOf(other, operation).map(
          (second): Run => ({
            troubles: [
              { at, nthTry: 1, fault: first },
              { at: other, nthTry: at === other ? 2 : 1, fault: second },
            ],
            unavailable: true,
          }),
        ),
      ),
    ),
  );
