import { setTimeout as sleep } from 'node:timers/promises';
import { catalogue, isRead, type NamedFault, oneOfEachKind } from './catalogue.ts';
import { type Clean, describeFault, notMade, type PlannedFault, Trial } from './fault-run.ts';
import type { Case, Scene } from './scene.ts';
import type { TracedCall } from './traced-request.ts';

/** Milliseconds after which a case is prepared again: some of its codes are valid for a minute. */
const fresh = 20_000;
/** Milliseconds after which the code of a case may have expired that cannot be prepared again. */
const expired = 60_000;
type Options = {
  onRun?: (report: Report, name: string, wrong: string | undefined) => unknown;
  /** The number of concurrent cases, and of those among them whose faults take no time: these use the CPU. */
  width?: { all: number; quick: number };
  /** Leaves out the runs of a case whose code may have expired, and counts them: a choice of pairs takes minutes. */
  leaveOutExpired?: boolean;
};

/** One run: its faults, and whether the service may respond with 503. */
export type Run = { plannedFaults: PlannedFault[]; unavailable: boolean };

/** Chooses the runs of an endpoint that makes these calls, without or with an Idempotency-Key. */
export type Choose = (calls: Clean['calls'], keyed: boolean, operation: string) => Run[];

export type Report = {
  runs: number;
  /** The runs that were left out. */
  leftOut: number;
  /** How often each fault happened. */
  faults: Record<string, number>;
  /** The problems, by endpoint. */
  wrong: Map<string, string[]>;
};

/**
 * Whether a lasting failure leaves something on purpose: of an import the rows that it has written, which then exist
 * (test/shared/identity/import-users.test.ts); of the refresh of a provider's tokens a claim, until it expires
 * (test/races/provider-tokens.test.ts).
 */
function leavesSomething({ one, call }: Prepared, keyed: boolean, { plannedFaults }: Run): boolean {
  const writes = plannedFaults.filter(({ at }) => !isRead(at.call));
  const isDone = ({ fault }: PlannedFault) => fault.name === 'reset after';
  if (one.operation === 'users.import')
    return (
      (keyed && writes.some(isDone)) ||
      (call.body as { users: readonly unknown[] }).users.length > 1
    );
  if (!one.operation.startsWith('identities.getToken')) return false;
  const isOfTokens = ({ at }: PlannedFault) => at.call.text.includes('PROVIDER_TOKENS#');
  // The first write of the tokens is the claim.
  const isLater = (write: PlannedFault) => isOfTokens(write) && write.at.nth > 0;
  return (
    writes.some((write) => isOfTokens(write) && isDone(write)) ||
    (writes.length > 0 && writes.every(isLater))
  );
}

type Prepared = { one: Case; call: Awaited<ReturnType<Case['prepare']>>; since: number };

/** Runs every case with every chosen fault, many concurrently, and reports the problems. */
export async function exhaust(
  scene: Scene,
  cases: readonly Case[],
  choose: Choose,
  { onRun, width = { all: 16, quick: 3 }, leaveOutExpired = false }: Options = {},
): Promise<Report> {
  const report: Report = { runs: 0, leftOut: 0, faults: {}, wrong: new Map() };
  const tried = new Set<string>();
  const quick = semaphore(width.quick);

  /** Each fault of an endpoint runs once, in the first of its cases that has it. */
  const isNew = (name: string) => !tried.has(name) && tried.add(name).size > 0;

  const open = async ({ one, call, since }: Prepared, keyed: boolean) => {
    const name = nameOf(one, keyed);
    const lane = scene.openLane(name);
    const trial = new Trial({ world: scene.world, lane, name, call, keyed });
    return { trial, clean: await quick(() => trial.clean()), since };
  };
  const attempt = async ({ trial, clean }: Awaited<ReturnType<typeof open>>, run: Run) => {
    report.runs += 1;
    for (const { fault } of run.plannedFaults)
      report.faults[fault.name] = (report.faults[fault.name] ?? 0) + 1;
    const work = () => trial.run(run.plannedFaults, clean, run);
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
    for (const run of choose(at.clean.calls, keyed, one.operation)) {
      if (run.unavailable && leavesSomething(prepared, keyed, run)) continue;
      if (!isNew(`${one.operation} ${keyed} ${titleOf(run)}`)) continue;
      if (leaveOutExpired && one.alone && Date.now() - at.since > expired) {
        report.leftOut += 1;
        continue;
      }
      const wrong = await again(run);
      if (wrong?.includes('temporarily_unavailable') || wrong === notMade) late.push(run);
      else note(one, keyed, run, wrong);
    }
    // A busy CPU can also cause a timeout, or make a call of the previous run arrive late, which then counts as the
    // first of its name. Such runs have up to three more attempts.
    for (const run of late) {
      let wrong = await again(run);
      for (let i = 0; i < 2 && wrong !== undefined; i += 1) wrong = await again(run);
      note(one, keyed, run, wrong);
    }
  };

  // Prepares all cases sequentially, then runs first those that cannot be prepared concurrently: the sign-ins, prepared
  // last because their tokens and keys are valid for minutes.
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
const titleOf = ({ plannedFaults }: Run): string => plannedFaults.map(describeFault).join(' and ');
const isSlow = ({ plannedFaults }: Run): boolean =>
  plannedFaults.some(({ nthTry, fault }) => nthTry === 'every' || fault.slow);

/** Prepares a case, with retries: on a busy machine the service may time out. */
async function prepare(one: Case, tries = 8): Promise<Prepared> {
  try {
    return { one, call: await one.prepare(), since: Date.now() };
  } catch (error) {
    if (tries === 1) throw error;
    await sleep(500);
    return prepare(one, tries - 1);
  }
}

/** Limits concurrency. */
function semaphore(max: number) {
  let free = max;
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

/** Chooses the faults of a call of an endpoint. */
type Faults = (at: TracedCall, operation: string) => readonly NamedFault[];

/** The faults of each call at its first try only, and at every try, without and with an Idempotency-Key. */
type Choice = { once: Faults; always: Faults; onceWithKey: Faults; alwaysWithKey: Faults };

const named =
  (...names: readonly string[]): Faults =>
  ({ call }) =>
    catalogue.filter(({ fits, name }) => names.includes(name) && fits(call));

const alone =
  ({ once, always, onceWithKey, alwaysWithKey }: Choice): Choose =>
  (calls, keyed, operation) =>
    calls.flatMap((at) => {
      const first = keyed ? onceWithKey : once;
      const lasting = keyed ? alwaysWithKey : always;
      return [
        ...first(at, operation).map(
          (fault): Run => ({ plannedFaults: [{ at, nthTry: 1, fault }], unavailable: false }),
        ),
        ...lasting(at, operation).map(
          (fault): Run => ({ plannedFaults: [{ at, nthTry: 'every', fault }], unavailable: true }),
        ),
      ];
    });

/** A call not executed, an executed one, and a conflict. */
const lasting = named('500', 'reset after', 'cancelled: TransactionConflict');

/** Every single fault of each call. */
export const single = alone({
  once: ({ call }) => catalogue.filter(({ fits }) => fits(call)),
  always: lasting,
  // Faults that the idempotency record could misinterpret.
  onceWithKey: named('reset before', 'reset after', 'late call', 'cancelled: TransactionConflict'),
  alwaysWithKey: lasting,
});

const kindsOf: Faults = ({ call, name, nth }, operation) =>
  oneOfEachKind(call, `${operation} ${name} ${nth}`);

/**
 * One single fault of every kind for each call, and a lasting one: of each read without a key, of each call with one. As
 * much as fits into `npm run proof`. A retried read is the same with and without a key.
 */
export const ofEachKind = alone({
  once: kindsOf,
  always: (at, operation) => (isRead(at.call) && at.nth === 0 ? named('500')(at, operation) : []),
  onceWithKey: (at, operation) =>
    isRead(at.call) ? [] : named('reset after', 'late call')(at, operation),
  alwaysWithKey: named('500'),
});

/** Every pair of faults: of two calls, or of the first two tries of one. The service may then time out. */
export const pairs: Choose = (calls, _keyed, operation) =>
  calls.flatMap((at, i) =>
    calls.slice(i).flatMap((other) =>
      kindsOf(at, operation).flatMap((first) =>
        kindsOf(other, operation).map(
          (second): Run => ({
            plannedFaults: [
              { at, nthTry: 1, fault: first },
              { at: other, nthTry: at === other ? 2 : 1, fault: second },
            ],
            unavailable: true,
          }),
        ),
      ),
    ),
  );
