import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { routes } from '#shared/contract/api.ts';
import { sourceOf } from '#shared/contract/functions.ts';
import { operationNotes } from '#shared/contract/notes/operation-notes.ts';
import { type Action, policy } from '#shared/model/policy.ts';
import { type Rate, rates } from '#shared/model/rates.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

test.each(routes)(
  '$name: its documented permissions are those that its function checks',
  ({ name }) => {
    const source = read(sourceOf(name));
    const asked = source.includes('authorizeLog') ? read('shared/events/authorize-log.ts') : source;
    const actions = Object.keys(policy).filter((action) => asked.includes(`'${action}'`));
    const named: readonly Action[] = operationNotes[name].permissions ?? [];
    expect([...named].toSorted(), `${name} in shared/contract/notes/`).toEqual(actions.toSorted());
  },
);

/** The source files of a function. */
function sourcesOf(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const [, from = ''] of read(path).matchAll(/(?:from |import\()'((?:#shared|\.)[^']*\.ts)'/g))
    sourcesOf(from.startsWith('#') ? from.slice(1) : join(path, '..', from), seen);
  return seen;
}

test.each(routes)('$name: its function uses its documented rate limits', ({ name }) => {
  const sources = [...sourcesOf(sourceOf(name))].filter((path) => path !== 'shared/model/rates.ts');
  const code = sources.map(read).join('\n');
  for (const rate of operationNotes[name].rates ?? [])
    expect([rate, code.includes(`'${rate}'`) || code.includes(`rates.${rate}`)]).toEqual([
      rate,
      true,
    ]);
});

test('every rate limit of requests is documented at an operation', () => {
  const named = routes.flatMap(({ name }) => operationNotes[name].rates ?? []);
  // Stated for every public route of a project, and every change of a user; and one that rejects no request.
  const elsewhere = [
    'networkDoor',
    'projectDoor',
    'changesByOne',
    'newDeviceMails',
    'noticesToOne',
  ] as const satisfies Rate[];
  const known = new Set<string>([...named, ...elsewhere]);
  expect(
    Object.keys(rates).filter((rate) => !known.has(rate)),
    'to be named in `rates` of an operation in shared/contract/notes/',
  ).toEqual([]);
});
