import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
/** The rows of a section as their cells. */
const rowsOf = (text: string) =>
  [...text.matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) => row.split(' | '));

/** Dollars for a million, by the first two cells of docs/evidence/table.md or by the first alone. */
const dollars = new Map(
  rowsOf(read('docs/evidence/table.md')).flatMap((cells) => [
    [`${cells[0]} ${cells[1]}`, cells[5] ?? ''] as const,
    [cells[0] ?? '', cells[4] ?? ''] as const,
  ]),
);

/** The names in docs/operate/costs.md for the rows of docs/evidence/table.md, and the costs in addition to DynamoDB. */
const lambda = 0.33;
const both = 1 + lambda;
/** `stream.sort`, `stream.consume` and `webhooks.deliver`, for a single event; and EventBridge. */
const ofEvent = 1 + 3 * lambda;
const signIn = '`POST /sessions/password`';
const signInEvent = 'the same, of a sign-in or another that the statistics count';
/** The sum of several rows of docs/evidence/table.md. */
const rows: [label: string, row: string | string[], more: number][] = [
  ['`GET /users/me`', '`GET /users/me` Bearer', both],
  ['a page of 20 members', '`GET /workspaces/{workspace_id}/users` Bearer, 20 members', both],
  ['`POST /sessions/token/refresh`', '`POST /sessions/token/refresh` Refresh', both],
  // 40 ms more on Lambda.
  [signIn, '`POST /sessions/password` Anyone, password', both + 0.53],
  ['`POST /users`, known e-mail (Basic)', '`POST /users` Basic, known e-mail', both],
  ['`POST /users`, new (Basic)', '`POST /users` Basic, new e-mail', both],
  [
    'joining a workspace by an invitation',
    '`POST /invitations/accept` Bearer, proven e-mail',
    both,
  ],
  [
    'an event, recorded and on the bus (each change makes one)',
    ['an event', 'an event of a project without webhooks'],
    ofEvent,
  ],
  [signInEvent, ['an event that is counted', 'an event of a project without webhooks'], ofEvent],
  ['an event that a webhook takes', 'an event that one webhook takes', lambda],
];

test('docs/operate/costs.md has the costs of the budgets', () => {
  const [, section = ''] =
    /^## A million requests$([^]*?)^## /m.exec(read('docs/operate/costs.md')) ?? [];
  const shown = rowsOf(section).slice(1);
  expect(shown).toEqual(
    rows.map(([label, row, more]) => {
      const database = [row].flat().reduce((sum, each) => sum + Number(dollars.get(each)), 0);
      return [label, database.toFixed(2), (database + more).toFixed(2)];
    }),
  );
});

test('the example of the guide uses the costs of the tables', () => {
  const guide = read('docs/guide/limits-and-costs.md');
  const totals = new Map(
    rowsOf(read('docs/operate/costs.md')).map(([label = '', , total = '']) => [label, total]),
  );
  expect(guide).toContain(`const signIn = ${totals.get(signIn)} + ${totals.get(signInEvent)} + `);
  const refresh = totals.get('`POST /sessions/token/refresh`');
  expect(guide).toContain(`const refresh = ${refresh} + ${lambda};`);
  const counted = dollars.get('the first renewal of a session on a day without a sign-in');
  expect(guide).toContain(`const firstOfDay = ${counted} + 1.5 + ${lambda};`);
  expect(guide).toContain(` + 600 * ${totals.get('`GET /users/me`')}) / 1e6`);
});
