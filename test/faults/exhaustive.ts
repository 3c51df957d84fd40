import { afterAll, beforeAll, expect, test } from 'vitest';
import { routes } from '../../shared/contract/api.ts';
import { exhaust, ofEachKind, type Report } from './exhaustive-run.ts';
import { startScene } from './scene.ts';

/**
 * Every endpoint of a part, every call that it makes, every kind of fault of that call: over HTTP, on the bundles.
 * @param part one of three, each of which takes every third endpoint: three files share the work, of minutes.
 */
export async function testEveryCall(part: 1 | 2 | 3): Promise<void> {
  const scene = await startScene();
  afterAll(() => scene.close());
  const ours = routes.filter((_, i) => i % 3 === part - 1);
  const names = new Set<string>(ours.map(({ name }) => name));
  const cases = scene.cases.filter(({ operation }) => names.has(operation));

  let report: Report;
  beforeAll(async () => {
    report = await exhaust(scene, cases, ofEachKind);
  }, 1_200_000);

  test.each(ours)('$name: survives every kind of fault of every call', ({ name }) => {
    const made = cases.some(({ operation }) => operation === name);
    expect(report.wrong.get(name)).toEqual(made ? [] : undefined);
  });
}
