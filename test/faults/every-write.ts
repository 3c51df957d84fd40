import { readBudgets } from '../support/budgets/budgets.ts';
import { catalogue } from './catalogue.ts';
import type { Choose } from './exhaustive-run.ts';
import type { Trouble } from './fault-run.ts';
import type { Case } from './scene.ts';

const budgets = readBudgets();

/** Whether a case changes the table, by its budget. */
export function writes({ operation, name }: Case): boolean {
  const rounds = budgets[operation]?.[name.slice(`${operation} `.length)]?.rounds ?? [];
  return rounds.flat().some((call) => isWrite(/^\w+/.exec(call)?.[0] ?? ''));
}

const isWrite = (operation: string): boolean =>
  ['TransactWriteItems', 'PutItem', 'UpdateItem', 'DeleteItem'].includes(operation);

/** One run, in which every write of the request meets a fault of these names at each of these tries. */
const atEveryWrite =
  (tries: [Trouble['nthTry'], ...string[]][], unavailable = false): Choose =>
  (met) => {
    const troubles = met
      .filter(({ call }) => isWrite(call.operation))
      .flatMap((at) =>
        tries.flatMap(([nthTry, ...names]) =>
          catalogue
            .filter(({ name, fits }) => names.includes(name) && fits(at.call))
            .map((fault): Trouble => ({ at, nthTry, fault })),
        ),
      );
    return troubles.length > 0 ? [{ troubles, unavailable }] : [];
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
 * What no local engine does by itself, at every write of a request at once: conflicts that pass, answers that are lost,
 * and conflicts that last.
 */
export const ofEveryWrite: Choose = (met, keyed, operation) =>
  keyed ? [] : [passing, lost, lasting].flatMap((choose) => choose(met, keyed, operation));
