import { afterAll, beforeAll, expect, test } from 'vitest';
import { routes } from '../../shared/contract/api.ts';
import { exhaust, type Report, ofEachKind } from './exhaust.ts';
import { startScene } from './scene.ts';

// Every endpoint, every call that it makes, every kind of fault of that call: over HTTP, on the bundles.
const scene = await startScene();
afterAll(() => scene.close());

let report: Report;
beforeAll(async () => {
  report = await exhaust(scene, scene.cases, ofEachKind);
}, 1_200_000);

test.each(routes)('$name: survives every kind of fault of every call', ({ name }) => {
  const made = scene.cases.some(({ operation }) => operation === name);
  expect(report.wrong.get(name)).toEqual(made ? [] : undefined);
});
