import { describe, expect, test } from 'vitest';
import { keys } from '../../shared/db/schema.ts';
import { seedCopies } from '../support/copies.ts';
import { expectWellMade, type Opened, useBrowser, type View } from './browser.ts';
import { settled, startHostedStage, unfold, visit } from './hosted-stage.ts';

/** The lists of the hosted pages with nothing, one row and a thousand in them. */
const { world, people, at, enterAs } = await startHostedStage();
const { open } = useBrowser();

const many = 1_000;
const newOwner = (name: string) => people.signUp(`${name}@rows.example`);
const [none, one, full] = [await newOwner('none'), await newOwner('one'), await newOwner('full')];
const owned = async (owner: typeof none, name: string) => {
  const { workspace_id } = await world.workspace({ owner, name });
  return workspace_id;
};
const places = {
  none: await owned(none, 'Empty'),
  one: await owned(one, 'Small'),
  full: await owned(full, 'Crowded'),
};

/** Items of a workspace, by the beginning of their sort keys. */
const itemsOf = (workspace_id: string, prefix = '') =>
  world.table.query(`WS#${workspace_id}`, prefix);

// One request to join, and then as many as there can be.
const asking = await people.signUp('asking@rows.example');
for (const workspace_id of [places.one, places.full]) {
  await world
    .as(people.project)
    .domains.set({ workspace_id, domain: 'rows.example', mode: 'suggest' });
  await world.as(asking).joinRequests.create({ workspace_id, message: 'Let me in' });
}
// A request is shown with its user.
const user = await world.table.get(keys.user(asking.uid));
const requests = [...(await itemsOf(places.full, 'REQUEST#')), ...(user ? [user] : [])];
await seedCopies(world, requests, [asking.uid], many - 1);
await world.table.update({ pk: `WS#${places.full}`, sk: 'WS' }, { join_request_count: many });

// One invitation, and then as many as there can be.
for (const [owner, workspace_id] of [
  [one, places.one],
  [full, places.full],
] as const)
  await world
    .as(owner)
    .invitations.create({ workspace_id, email: 'x@rows.example', role: 'member' });
const [invitation] = (await world.as(full).invitations.list({ workspace_id: places.full })).body
  .result;
const invited = invitation?.user_id ?? '';
const invitationItems = (await itemsOf(places.full)).filter((item) =>
  String(item['sk']).includes(invited),
);
await seedCopies(world, invitationItems, [invited], many - 1);

// The log has what has happened, and its last entry many times.
await world.drainStream();
const { pk } = keys.workspace(places.full);
const head = await world.table.get(keys.logHead(pk));
const last = Number(head?.['told']);
const entry = await world.table.get(keys.logEntry(pk, last));
const { id } = JSON.parse(String(entry?.['event'])) as { id: string };
const entries = Array.from({ length: many - last }, (_, number) => {
  const position = last + number + 1;
  const event = String(entry?.['event']).replaceAll(id, `${id.slice(0, -8)}${10_000_000 + number}`);
  return { ...entry, ...keys.logEntry(pk, position), position, event };
});
await world.table.putAll(entries);
await world.table.update(keys.logHead(pk), { told: many, number: many });

// Workspaces: nobody is in none, `one` in one, and `full` in a thousand.
const nobody = await people.signUp('nobody@rows.example');
const model = await world.workspace({ owner: full, name: 'One of many' });
await seedCopies(world, await itemsOf(model.workspace_id), [model.workspace_id], many - 2);

/** The rows of the list below a heading. */
const rowsOf = ({ page }: Opened, title: string) =>
  page
    .locator('section', { has: page.getByRole('heading', { level: 2, name: title, exact: true }) })
    .locator('ul.list > li');
/** Reads a list to its end. */
async function showAll(opened: Opened, title: string): Promise<number> {
  const { page } = opened;
  const more = page
    .locator('section', { has: page.getByRole('heading', { level: 2, name: title, exact: true }) })
    .getByRole('button', { name: 'Show more' });
  const rows = rowsOf(opened, title);
  while ((await more.count()) > 0) {
    const before = await rows.count();
    await more.click();
    await expect.poll(() => rows.count()).toBeGreaterThan(before);
  }
  return rows.count();
}

const seen: View[] = [{ width: 390 }, { width: 1440, dark: true }];
describe.each(seen)('at $width pixels', (view) => {
  test.each([
    ['none', none, nobody],
    ['one', one, one],
    ['many', full, full],
  ] as const)('%s of each', async (amount, owner, member) => {
    const expected = { none: 0, one: 1, many }[amount];
    const opened = await enterAs(await open(view), member);
    await visit(opened, at('workspaces'));
    expect(await showAll(opened, 'Your workspaces')).toBe(expected);
    await expectWellMade(opened, `rows-workspaces-${amount}`);

    const admin = await enterAs(await open(view), owner);
    const { [amount === 'many' ? 'full' : amount]: workspace_id } = places;
    await visit(admin, at('members', { workspace_id }));
    await unfold(admin, 'Show what has happened');
    await settled(admin);
    await expect.poll(() => rowsOf(admin, 'Audit log').count()).toBeGreaterThan(0);
    await expectWellMade(admin, `rows-members-${amount}`);
    expect(await showAll(admin, 'Requests to join')).toBe(expected);
    expect(await showAll(admin, 'Invitations')).toBe(expected);
    const events = await showAll(admin, 'Audit log');
    if (amount === 'many') expect(events).toBe(many);
    if (amount === 'many') await expectWellMade(admin, 'rows-members-all');
  });
});
