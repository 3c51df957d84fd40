import { readBudgets } from '../support/budgets/budgets.ts';
import { singleWrites } from '../support/call-names.ts';
import { catalogue } from './catalogue.ts';
import type { Choose } from './exhaustive-run.ts';
import type { PlannedFault } from './fault-run.ts';
import type { Case } from './scene.ts';

const budgets = readBudgets();

/** Whether a case writes, by its budget. */
export function writes({ operation, name }: Case): boolean {
  const rounds = budgets[operation]?.[name.slice(`${operation} `.length)]?.rounds ?? [];
  return rounds.flat().some((call) => isWrite(/^\w+/.exec(call)?.[0] ?? ''));
}

const isWrite = (operation: string): boolean =>
  operation === 'TransactWriteItems' || singleWrites.includes(operation);

/** One run, in which every write of the request has one of these faults at each of these tries. */
const atEveryWrite =
  (tries: [PlannedFault['nthTry'], ...string[]][], unavailable = false): Choose =>
  (calls) => {
    const plannedFaults = calls
      .filter(({ call }) => isWrite(call.operation))
      .flatMap((at) =>
        tries.flatMap(([nthTry, ...names]) =>
          catalogue
            .filter(({ name, fits }) => names.includes(name) && fits(at.call))
            .map((fault): PlannedFault => ({ at, nthTry, fault })),
        ),
      );
    return plannedFaults.length > 0 ? [{ plannedFaults, unavailable }] : [];
  };

const conflicts = ['cancelled: TransactionConflict', 'TransactionConflictException'];

const passing = atEveryWrite([1, 2, 3].map((nthTry) => [nthTry, ...conflicts]));
const lost = atEveryWrite([
  [1, 'reset after'],
  [2, 'half an answer'],
  [3, '500 after it was done'],
]);
const lasting = atEveryWrite([['every', ...conflicts]], true);

/**
 * Faults that no local engine produces itself, at every write of a request at once: passing conflicts, lost responses
 * and lasting conflicts.
 */
export const ofEveryWrite: Choose = (calls, keyed, operation) =>
  keyed ? [] : [passing, lost, lasting].flatMap((choose) => choose(calls, keyed, operation));
