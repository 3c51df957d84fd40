import { expect, test } from 'vitest';
import { keys } from '../../shared/db/keys.ts';
import { limits } from '../../shared/model/limits.ts';
import { seedMembers } from '../support/budgets/case.ts';
import { seedCopies } from '../support/copies.ts';
import { expectNoSideScroll, expectWellMade, type Opened, useBrowser } from './browser.ts';
import { settled, startHostedStage, unfold, visit } from './hosted-stage.ts';

/** The lists of the hosted pages with no rows, one row, and the maximum. */
const { world, people, at, enterAs } = await startHostedStage();
const { open } = useBrowser();
const backend = world.as(people.project);

const many = 1_000;
const userOf = (name: string) =>
  world.user({ project: people.project, email: `${name}@rows.example`, verified: true });

// Users with lists of workspaces of different lengths. All but the first are invited to as many others.
const newcomer = await userOf('newcomer');
const host = await userOf('host');
const models: string[] = [];
const joined = { one: await userOf('joined-one'), many: await userOf('joined-many') };
for (const [amount, person] of Object.entries(joined)) {
  const own = await world.workspace({ owner: person, name: 'One of many' });
  const other = await world.workspace({ owner: host, name: 'Another one' });
  await world.invited(other, 'member', person);
  if (amount === 'many') models.push(own.workspace_id, other.workspace_id);
}

// Workspaces with lists of different lengths.
const owners = { none: await userOf('none'), one: await userOf('one'), many: await userOf('many') };
const places = {
  none: await world.workspace({ owner: owners.none, name: 'Empty' }),
  one: await world.workspace({ owner: owners.one, name: 'Small' }),
  many: await world.workspace({ owner: owners.many, name: 'Crowded' }),
};
const asking = await userOf('asking');
for (const amount of ['one', 'many'] as const) {
  const { workspace_id } = places[amount];
  await backend.domains.set({ workspace_id, domain: 'rows.example', mode: 'suggest' });
  await world.as(asking).joinRequests.create({ workspace_id, message: 'Let me in' });
  const owner = world.as(owners[amount]);
  await owner.joinLinks.create({ workspace_id, role: 'member' });
  await owner.invitations.create({ workspace_id, email: 'invited@example.com', role: 'member' });
}
const { workspace_id: crowded } = places.many;
for (let number = 1; number < limits.allowedDomains; number += 1) {
  const domain = `rows${number}.example`;
  await backend.domains.set({ workspace_id: crowded, domain, mode: 'suggest' });
}
for (let number = 1; number < limits.joinLinksPerWorkspace; number += 1)
  await world.as(owners.many).joinLinks.create({ workspace_id: crowded, role: 'member' });

// The following items are written directly to the table, without the functions.
await world.drainStream();
for (const workspace_id of models) {
  const copied = await world.table.query(`WS#${workspace_id}`);
  await seedCopies(world, copied, [workspace_id], many - 1);
}
await seedMembers(world, places.many, many);
// A join request is shown with the user's profile.
const user = await world.table.get(keys.user(asking.uid));
const items = await world.table.query(`WS#${crowded}`);
const requests = items.filter(({ sk }) => String(sk).startsWith('REQUEST#'));
await seedCopies(world, [...requests, ...(user ? [user] : [])], [asking.uid], many - 1);
const [invitation] = (await world.as(owners.many).invitations.list({ workspace_id: crowded })).body
  .result;
const invited = invitation?.user_id ?? '';
const invitations = items.filter(({ sk }) => String(sk).includes(invited));
await seedCopies(world, invitations, [invited], many - 1);
const counts = { join_request_count: many, total_member_count: many, pending_member_count: many };
await world.table.update(keys.workspace(crowded), counts);

// The log has the real events, and its last entry many times.
const { pk } = keys.workspace(crowded);
const head = keys.logHead(pk);
const last = Number((await world.table.get(head))?.['number']);
const entry = await world.table.get(keys.logEntry(pk, last));
const event = String(entry?.['event']);
const { id } = JSON.parse(event) as { id: string };
const entries = Array.from({ length: many - last }, (_, number) => {
  const position = last + number + 1;
  const copy = event.replaceAll(id, `${id.slice(0, -8)}${10_000_000 + number}`);
  return { ...entry, ...keys.logEntry(pk, position), position, event: copy };
});
await world.table.putAll(entries);
await world.table.update(head, { number: many });

/** The section of the page with that heading. */
const partOf = (title: string) => `[...document.querySelectorAll('section')]
  .find((each) => each.querySelector('h2').textContent === ${JSON.stringify(title)})`;
const rowsOf = ({ page }: Opened, title: string) =>
  page.evaluate(`${partOf(title)}?.querySelectorAll('ul.list > li').length ?? 0`);

/**
 * Loads a list to its end. Returns the number of rows and pages, and the longest time from a response to its rows on
 * the page. It runs inside the page: finding a button among thousands from outside takes longer than the measured work.
 */
const readToEnd = (title: string) => `(async () => {
  const part = ${partOf(title)};
  if (!part) return { rows: 0, pages: 1, longest: 0 };
  const count = () => part.querySelectorAll('ul.list > li').length;
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  let longest = 0;
  for (let pages = 1; ; pages += 1) {
    const more = [...part.querySelectorAll('button')].find((each) => each.textContent === 'Show more');
    if (!more) return { rows: count(), pages, longest };
    const before = count();
    performance.clearResourceTimings();
    more.click();
    // The last page may be empty: the button then disappears.
    while (count() === before && more.isConnected) {
      if (part.querySelector('[role=alert]')) throw new Error(part.textContent);
      await frame();
    }
    await frame();
    const [answer] = performance.getEntriesByType('resource').slice(-1);
    longest = Math.max(longest, performance.now() - answer.responseEnd);
  }
})()`;

async function showAll(opened: Opened, title: string): Promise<number> {
  const read = await opened.page.evaluate(readToEnd(title));
  const { rows, pages, longest } = read as { rows: number; pages: number; longest: number };
  // One page of 20 and ten of 100, instead of fifty.
  expect(pages, title).toBeLessThanOrEqual(11);
  if (process.env['SCREENSHOTS'])
    console.info(new Date().toISOString(), `${title}: ${rows} rows, ${Math.round(longest)} ms`);
  return rows;
}

const amounts = ['none', 'one', 'many'] as const;
/** The view in which a row has the least space. */
const phone = { width: 390 } as const;
const expected = (amount: (typeof amounts)[number], most = many) =>
  ({ none: 0, one: 1, many: most })[amount];

test.each(amounts)('the lists of workspaces and invitations with rows: %s', async (amount) => {
  const person = amount === 'none' ? newcomer : joined[amount];
  const opened = await enterAs(await open(phone), person);
  await visit(opened, at('workspaces'));
  await expectWellMade(opened, `rows-workspaces-${amount}`);
  expect(await showAll(opened, 'Your workspaces')).toBe(expected(amount));
  expect(await showAll(opened, 'Invitations')).toBe(expected(amount));
  await opened.picture(`rows-workspaces-${amount}-end`, 'window');
  await expectNoSideScroll(opened);
});

test.each(amounts)('the lists of an admin with rows: %s', async (amount) => {
  const { workspace_id } = places[amount];
  const opened = await enterAs(await open(phone), owners[amount]);
  await visit(opened, at('members', { workspace_id }));
  await unfold(opened, 'Show what has happened');
  await expect.poll(() => rowsOf(opened, 'Audit log')).toBeGreaterThan(0);
  await settled(opened);
  await expectWellMade(opened, `rows-members-${amount}`);
  // The owner is the first member.
  expect(await showAll(opened, 'Members')).toBe(Math.max(1, expected(amount)));
  const { joinLinksPerWorkspace, allowedDomains } = limits;
  expect(await showAll(opened, 'Requests to join')).toBe(expected(amount));
  expect(await showAll(opened, 'Invitations')).toBe(expected(amount));
  expect(await showAll(opened, 'Join links')).toBe(expected(amount, joinLinksPerWorkspace));
  expect(await showAll(opened, 'Allowed domains')).toBe(expected(amount, allowedDomains));
  const events = await showAll(opened, 'Audit log');
  if (amount === 'many') expect(events).toBe(many);
  await expectNoSideScroll(opened);
  await opened.picture(`rows-members-${amount}-end`, 'window');
});

test.each([1, limits.sessionsPerUser])('%i sessions are all listed', async (count) => {
  const opened = await open();
  const { uid } = (await backend.users.create({ email: `sessions-${count}@rows.example` })).body;
  for (let number = 1; number < count; number += 1) await world.session(uid, people.project);
  await enterAs(opened, { uid });
  await visit(opened, at('account'));
  expect(await rowsOf(opened, 'Where you are signed in')).toBe(count);
  await expectWellMade(opened, `rows-sessions-${count}`);
});

test('a changed row far down in the list keeps its place and the focus', async () => {
  const opened = await enterAs(await open({ width: 390 }), owners.many);
  const { page } = opened;
  await visit(opened, at('members', { workspace_id: crowded }));
  const list = page.locator('section', { has: page.getByRole('heading', { name: 'Members' }) });
  await list.getByRole('button', { name: 'Show more' }).first().click();
  await expect.poll(() => rowsOf(opened, 'Members')).toBe(120);
  const row = list.locator('ul.list > li').nth(110);
  await row.getByRole('button', { name: /^Suspend / }).click();
  await row.getByRole('button', { name: /^Resume / }).waitFor();
  await settled(opened);
  expect(await rowsOf(opened, 'Members')).toBe(120);
  expect(await page.evaluate('document.activeElement.textContent')).toMatch(/^Resume/);
});
