import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { chainHash } from '#shared/events/hash-chain.ts';
import { main } from '../../bin/audit.ts';
import { eventWriter } from '../support/append-events.ts';
import { newFolder } from '../support/folder.ts';
import { startWorld } from '../support/world.ts';
import { call, run } from './run.ts';

type Entry = { number: number; event: object; previous_hash: string; hash: string };

const folder = newFolder();

/** Writes each text to a separate file and verifies them together. */
async function verify(...texts: string[]) {
  const files = texts.map((_, i) => join(folder, `${i}`));
  await Promise.all(texts.map((text, i) => writeFile(files[i] ?? '', text)));
  const { stdout, stderr, code } = await call(main, files);
  return { code, said: (stdout + stderr).replaceAll(`${folder}/`, '').trim() };
}

/** A log of five entries, starting at a number. */
function log(first = 1): Entry[] {
  const entries: Entry[] = [];
  for (let number = first; number < first + 5; number += 1) {
    const previous_hash = entries.at(-1)?.hash ?? (first === 1 ? '' : 'from-before');
    const event = { type: 'workspace.updated', id: `evt-${number}`, data: {} };
    const link = { number, event, previous_hash };
    entries.push({ ...link, hash: chainHash(link) });
  }
  return entries;
}
const lines = (entries: unknown[]) => entries.map((entry) => JSON.stringify(entry)).join('\n');
const last = log().at(-1)?.hash ?? '';
const intact = { code: 0, said: `5 entries, 1 to 5, are intact. Keep the last hash: ${last}` };

describe('an intact log', () => {
  test.each([
    [
      'a page',
      [JSON.stringify({ count: 5, result: log(), next_cursor: '5', more: false }, null, 2)],
    ],
    ['entries as lines', [`${lines(log())}\n`]],
    ['lines as Windows writes them', [`\uFEFF${lines(log()).replaceAll('\n', '\r\n')}\r\n`]],
    ['a list', [JSON.stringify(log())]],
    ['pages as lines', [lines([{ result: log().slice(0, 2) }, { result: log().slice(2) }])]],
    ['several files', [lines(log().slice(0, 3)), JSON.stringify({ result: log().slice(3) })]],
  ])('is accepted as %s', async (_, texts) => {
    expect(await verify(...texts)).toEqual(intact);
  });

  test('that begins later is accepted, and says which hash to compare with the previous export', async () => {
    const { code, said } = await verify(lines(log(7)));
    expect([code, said]).toEqual([
      0,
      '5 entries, 7 to 11, are intact. Entry 7 has the previous_hash from-before: compare it with the last hash of the previous ' +
        `export. Keep the last hash: ${log(7).at(-1)?.hash}`,
    ]);
  });

  test('is what the service returns', async () => {
    const world = await startWorld();
    const { writeEvents } = await eventWriter(world);
    const { workspace_id } = await world.workspace();
    for (const name of ['Grüße', '\u20ac \u{1f600} "\\', ''])
      await writeEvents(keys.workspace(workspace_id), [{ type: 'workspace.updated' }], { name });
    await world.drainStream();
    const { body } = await world.as(world.project).events.listOfWorkspace({ workspace_id });
    const { code, said } = await verify(JSON.stringify(body));
    expect([code, said]).toEqual([0, expect.stringContaining('entries, 1 to ')]);
    await world.close();
  });
});

describe('a log that was tampered with', () => {
  const changed = (change: (entries: Entry[]) => unknown[]) => lines(change(log()));
  const at = (i: number, more: Partial<Entry>) => (entries: Entry[]) =>
    entries.map((entry, place) => (place === i ? { ...entry, ...more } : entry));
  const event = { type: 'workspace.updated', id: 'evt-3', data: { user_id: 'another' } };
  const previous_hash = log()[1]?.hash ?? '';
  const rehashed = { event, hash: chainHash({ number: 3, event, previous_hash }) };

  test.each<[string, string, string]>([
    [
      'another event',
      changed(at(2, { event })),
      '0:3: entry 3 does not match its own hash: it was changed.',
    ],
    [
      'another event with its right hash',
      changed(at(2, rehashed)),
      '0:4: entry 4 does not have the hash of entry 3: that entry was changed or replaced.',
    ],
    [
      'an entry left out',
      changed((entries) => entries.toSpliced(2, 1)),
      '0:3: entry 4 does not follow entry 2: entries are missing.',
    ],
    [
      'an entry left out and the others numbered anew',
      changed((entries) =>
        entries.toSpliced(2, 1).map((entry, i) => ({ ...entry, number: i + 1 })),
      ),
      '0:3: entry 3 does not have the hash of entry 2: that entry was changed or replaced.',
    ],
    [
      'two entries exchanged',
      changed(([a, b, c, ...rest]) => [a, c, b, ...rest]),
      '0:2: entry 3 does not follow entry 1: entries are missing.',
    ],
    [
      'an entry twice',
      changed(([a, ...rest]) => [a, a, ...rest]),
      '0:2: entry 1 does not follow entry 1: it is out of order.',
    ],
    [
      'the first ones cut off and the rest numbered from 1',
      changed(([, second]) => [{ ...second, number: 1 }]),
      '0: entry 1 has a previous_hash, although it is the first.',
    ],
    [
      'another number of a log that begins later',
      lines([{ ...log(7)[0], number: 8 }]),
      '0: entry 8 does not match its own hash: it was changed.',
    ],
  ])('%s: reports where', async (_, text, said) => {
    expect(await verify(text)).toEqual({ code: 1, said: `${said} The log is not intact.` });
  });
});

test.each([
  ['nothing', '', 'The files contain no entries.'],
  ['no JSON', 'x', '0:1: not an audit log entry.'],
  ['JSON of something else', '{"total": 1}', '0: not an audit log entry.'],
  ['an empty page', '{"result": []}', 'The files contain no entries.'],
])('%s is not an intact log', async (_, text, said) => {
  expect(await verify(text)).toEqual({ code: 1, said });
});

test('a file that cannot be read is an error, and no file prints the usage', async () => {
  const missing = await run(['bin/audit.ts', '/nowhere/log.json']);
  expect(missing.stderr).toMatch(/^\/nowhere\/log.json cannot be read/);
  const none = await call(main, []);
  expect(none.stderr).toMatch(/^Usage: npm run audit:verify/);
  expect([missing.code, none.code]).toEqual([1, 1]);
});
