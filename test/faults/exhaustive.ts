import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../shared/contract/api.ts';
import { ofEveryWrite, writes } from './every-write.ts';
import { type Choose, exhaust, ofEachKind, type Report } from './exhaustive-run.ts';
import { startScene } from './scene.ts';

const faults: Choose = (...of) => [...ofEachKind(...of), ...ofEveryWrite(...of)];

/**
 * Every endpoint of a part, every call that it makes, every kind of fault of that call, and what happens to all of its
 * writes at once: over HTTP, on the bundles.
 * @param part one of two, each of which takes every second endpoint: two files share the work, of minutes.
 */
export async function testEveryCall(part: 1 | 2): Promise<void> {
  const scene = await startScene();
  afterAll(() => scene.close());
  const ours = routes.filter((_, i) => i % 2 === part - 1);
  const names = new Set<string>(ours.map(({ name }) => name));
  const cases = scene.cases.filter(({ operation }) => names.has(operation));

  let report: Report;
  const runs: { title: string; wrong: string | undefined }[] = [];
  beforeAll(async () => {
    report = await exhaust(scene, cases, faults, {
      onRun: (_, title, wrong) => runs.push({ title, wrong }),
    });
  }, 1_200_000);

  test.each(ours)('$name: survives every kind of fault of every call', ({ name }) => {
    const made = cases.some(({ operation }) => operation === name);
    expect(report.wrong.get(name)).toEqual(made ? [] : undefined);
  });

  /**
   * Everything was right in the runs of an operation that met these troubles: nothing half done, nothing done twice.
   */
  const expectRight = (operation: string, troubles: RegExp) => {
    const these = runs.filter(
      ({ title }) => title.startsWith(`${operation} `) && troubles.test(title),
    );
    expect(these).not.toEqual([]);
    expect(these.flatMap(({ wrong }) => wrong ?? [])).toEqual([]);
  };
  const writing = new Set(cases.filter(writes).map(({ operation }) => operation));
  describe.each([...writing])('%s', (operation) => {
    test('succeeds through conflicts that pass', () => {
      expectRight(operation, /try 3: (?:cancelled: )?TransactionConflict/);
    });

    test('succeeds once although its answer is lost', () => {
      expectRight(operation, /try 3: 500 after it was done/);
    });

    test('conflicts that last are temporarily unavailable, never the fault of the client', () => {
      expectRight(operation, /every try: (?:cancelled: )?TransactionConflict/);
    });
  });
}
