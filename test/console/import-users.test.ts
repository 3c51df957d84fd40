import { afterAll, expect, test } from 'vitest';
import { createClient } from '../../client/client.ts';
import { importUsers, type Progress } from '../../console/ui/import-users.ts';
import { startWorld } from '../support/world.ts';
import { startStage } from './stage.ts';

/** The page's import through the console into the service. */
const world = await startWorld({ subscribers: false });
const stage = await startStage(world);
afterAll(() => stage.close());
const { api, cookie } = await stage.entered();

async function importLines(lines: readonly string[]) {
  const project = await world.newProject();
  const client = createClient(`${stage.origin}${api}/projects/${project.project_id}`, {
    fetch: (input, init) =>
      fetch(input, { ...init, headers: { ...(init?.headers as object), ...stage.ofPage, cookie } }),
  });
  let last: Progress | undefined;
  await importUsers(client, new File([lines.join('\n')], 'users.jsonl'), {
    ...{ dryRun: false, signal: new AbortController().signal },
    onProgress: (progress) => {
      last = progress;
    },
  });
  return last;
}

const user = (n: number, more: object = {}) =>
  JSON.stringify({ email: `n${n}@page.example.com`, ...more });

test('reports the lines that the service refuses to read, and imports all others', async () => {
  const good = Array.from({ length: 120 }, (_, n) => user(n));
  const lines = [
    ...good.slice(0, 40),
    user(500, { display_name: '\ud800' }),
    user(501, { about_me: 'x'.repeat(300_000) }),
    ...good.slice(40),
    user(502, { about_me: 'x'.repeat(5_000_000) }),
    user(503, { email: { is: 'no text' } }),
  ];
  const done = await importLines(lines);
  expect(done).toMatchObject({ created: 120, exists: 0, failed: 4, done: done?.size });
  const refused = done?.refused.toSorted((a, b) => a.line - b.line);
  expect(refused?.map(({ line, about }) => [line, about])).toEqual([
    [41, 'n500@page.example.com'],
    [42, 'n501@page.example.com'],
    [123, 'n502@page.example.com'],
    [124, ''],
  ]);
  expect(refused?.map(({ why }) => why)).toEqual([
    expect.stringContaining('display_name: '),
    expect.stringContaining('must not exceed'),
    expect.stringContaining('too large'),
    expect.stringContaining('email: '),
  ]);
});
