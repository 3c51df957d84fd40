import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '../faults/catalogue.ts';
import { type Choose, exhaust } from '../faults/exhaustive-run.ts';
import type { Trouble } from '../faults/fault-run.ts';
import { startScene } from '../faults/scene.ts';
import { readBudgets } from '../support/budgets.ts';

// What no local engine does by itself: writes that conflict, and answers to writes that never arrive. Here they happen
// to every write of a request; test/faults has every other fault, of one call at a time.
const scene = await startScene();
afterAll(() => scene.close());

const writes = /^(?:TransactWriteItems|PutItem|UpdateItem|DeleteItem)/;
const budgets = readBudgets();
const writing = scene.cases.filter(({ operation, name }) =>
  budgets[operation]?.[name.slice(`${operation} `.length)]?.rounds
    .flat()
    .some((call) => writes.test(call)),
);

/** One run, in which every write meets a fault of these names at each of these tries. */
const atEveryWrite =
  (tries: [Trouble['nthTry'], ...string[]][], unavailable = false): Choose =>
  (met) => {
    const troubles = met
      .filter(({ call }) => writes.test(call.operation))
      .flatMap((at) =>
        tries.flatMap(([nthTry, ...names]) =>
          catalogue
            .filter(({ name, fits }) => names.includes(name) && fits(at.call))
            .map((fault): Trouble => ({ at, nthTry, fault })),
        ),
      );
    return [{ troubles, unavailable }];
  };
const conflicts = ['cancelled: TransactionConflict', 'TransactionConflictException'];
const passing = atEveryWrite([1, 2, 3].map((nthTry) => [nthTry, ...conflicts]));
const lost = atEveryWrite([
  [1, 'reset after'],
  [2, 'half an answer'],
  [3, '500 after it was done'],
]);
const lasting = atEveryWrite([['every', ...conflicts]], true);

const runs: { title: string; wrong: string | undefined }[] = [];
beforeAll(async () => {
  const all: Choose = (...of) => [passing, lost, lasting].flatMap((choose) => choose(...of));
  await exhaust(scene, writing, all, {
    keys: false,
    onRun: (_, title, wrong) => runs.push({ title, wrong }),
  });
}, 600_000);

/** Everything was right in the runs of an operation that met these troubles: nothing half done, nothing done twice. */
function expectRight(operation: string, troubles: RegExp): void {
  const these = runs.filter(
    ({ title }) => title.startsWith(`${operation} `) && troubles.test(title),
  );
  expect(these).not.toEqual([]);
  expect(these.flatMap(({ wrong }) => wrong ?? [])).toEqual([]);
}

describe.each([...new Set(writing.map(({ operation }) => operation))])('%s', (operation) => {
  test('succeeds through conflicts that pass', () => {
    expectRight(operation, /try 3: (?:cancelled: )?TransactionConflict/);
  });

  test('succeeds once although its answer is lost', () => {
    expectRight(operation, /: reset after/);
  });

  test('conflicts that last are temporarily unavailable, never the fault of the client', () => {
    expectRight(operation, /every try: (?:cancelled: )?TransactionConflict/);
  });
});
