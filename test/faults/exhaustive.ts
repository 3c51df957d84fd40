import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../shared/contract/api.ts';
import { ofEveryWrite, writes } from './every-write.ts';
import { type Choose, exhaust, ofEachKind, type Report } from './exhaustive-run.ts';
import { startScene } from './scene.ts';

const faults: Choose = (...of) => [...ofEachKind(...of), ...ofEveryWrite(...of)];

/**
 * Tests every endpoint of a part with every kind of fault of every call, and with faults of all its writes at once:
 * over HTTP, with the bundles.
 * @param part 1 or 2, each with every second endpoint: two files share the work, which takes minutes.
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

  /** Expects no problem in the runs of an operation with these faults: nothing done partially, nothing done twice. */
  const expectRight = (operation: string, pattern: RegExp) => {
    const these = runs.filter(
      ({ title }) => title.startsWith(`${operation} `) && pattern.test(title),
    );
    expect(these).not.toEqual([]);
    expect(these.flatMap(({ wrong }) => wrong ?? [])).toEqual([]);
  };
  const writing = new Set(cases.filter(writes).map(({ operation }) => operation));
  describe.each([...writing])('%s', (operation) => {
    test('succeeds after temporary conflicts', () => {
      expectRight(operation, /try 3: (?:cancelled: )?TransactionConflict/);
    });

    test('is applied once although its response is lost', () => {
      expectRight(operation, /try 3: 500 after it was done/);
    });

    test('gets temporarily_unavailable for lasting conflicts, not an error of the client', () => {
      expectRight(operation, /every try: (?:cancelled: )?TransactionConflict/);
    });
  });
}
