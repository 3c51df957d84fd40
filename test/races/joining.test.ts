import { beforeAll, expect, test } from 'vitest';
import { joinRequestPrefix } from '#shared/db/key-prefixes.ts';
import { keys } from '#shared/db/keys.ts';
import type { Workspace } from '#shared/model/workspace-resources.ts';
import { type Person, startWorld } from '../support/world.ts';
import { counted, disturbed, times } from './many.ts';

// No local engine raises TransactionConflict: here concurrent transactions fail only by their conditions. Conflicts are
// injected in test/shared.
const world = await startWorld();
const { as, project } = world;
const backend = as(project);
const domain = 'race.com';
let owner: Person;
let people: Person[];
beforeAll(async () => {
  owner = await world.user({ verified: true });
  people = [];
  for (let i = 0; i < 10; i += 1)
    people.push(
      ...(await times(20, (n) =>
        world.user({ email: `p${i * 20 + n}@${domain}`, verified: true }),
      )),
    );
});

type Space = Pick<Workspace, 'workspace_id'>;
const space = async (mode?: string) => {
  const workspace = await world.workspace({ owner });
  if (mode !== undefined) await setMode(workspace, mode);
  return workspace;
};
const setMode = ({ workspace_id }: Space, mode: string) =>
  backend.domains.set({ workspace_id, domain, mode });
const newLink = ({ workspace_id }: Space, given: object = {}) =>
  backend.joinLinks.create({ workspace_id, ...given });
const join = ({ workspace_id }: Space, person: Person | undefined, join_token?: string) =>
  as(person).members.join({ workspace_id, user_id: person?.uid, join_token });
const ask = ({ workspace_id }: Space, person: Person | undefined) =>
  as(person).joinRequests.create({ workspace_id });
const approve = ({ workspace_id }: Space, { uid: user_id }: Person) =>
  backend.joinRequests.approve({ workspace_id, user_id });
const end = ({ workspace_id }: Space, person: Person) =>
  as(person).joinRequests.delete({ workspace_id, user_id: person.uid });
const listed = async ({ workspace_id }: Space, what: 'joinLinks' | 'joinRequests') =>
  (await backend[what].list({ workspace_id })).body;

/** Returns the stored items, after checking the exact counters against them. */
async function expectExact({ workspace_id }: Space) {
  const items = await world.table.query(`WS#${workspace_id}`);
  const of = (prefix: string) =>
    items.flatMap(({ sk }) =>
      String(sk).startsWith(prefix) ? [String(sk).slice(prefix.length)] : [],
    );
  const [members, requests, links] = [of('MEMBER#'), of('REQUEST#'), of('LINK#')];
  const workspace = items.find(({ sk }) => sk === 'WS');
  expect(workspace).toMatchObject({ total_member_count: members.length });
  expect(Number(workspace?.['join_request_count'] ?? 0)).toBeGreaterThanOrEqual(requests.length);
  expect(Number(workspace?.['join_link_count'] ?? 0)).toBe(links.length);
  return { members, requests, links };
}

test('200 concurrent uses of a link for 50 users add 50 members', async () => {
  const workspace = await space();
  const { body: link } = await newLink(workspace, { max_uses: 50 });
  const answers = await times(200, (i) => join(workspace, people[i], link.token));
  // 200: a retry after a 503 that had joined.
  const { 201: made = 0, 200: found = 0, join_link_invalid: refused } = counted(answers);
  expect([made + found, refused]).toEqual([50, 150]);
  if (!disturbed()) expect(found).toBe(0);
  expect((await expectExact(workspace)).members).toHaveLength(51);
  expect((await listed(workspace, 'joinLinks')).result[0].use_count).toBe(50);
});

test('40 concurrent uses of a link by one user add one member, and count as one use', async () => {
  const workspace = await space();
  const { body: link } = await newLink(workspace, { max_uses: 1 });
  const answers = await times(40, () => join(workspace, people[0], link.token));
  expect(answers.every(({ status }) => status < 300)).toBe(true);
  expect(new Set(answers.map(({ body }) => body.member_id)).size).toBe(1);
  expect((await expectExact(workspace)).members).toHaveLength(2);
  expect((await listed(workspace, 'joinLinks')).result[0].use_count).toBe(1);
});

test('70 concurrent requests create 50 links', async () => {
  const workspace = await space();
  const answers = await times(70, () => newLink(workspace));
  const made = answers.filter(({ status }) => status === 201).length;
  expect(counted(answers)).toEqual({ 201: made, join_link_limit_reached: 70 - made });
  if (!disturbed()) expect(made).toBe(50);
  expect((await expectExact(workspace)).links).toHaveLength(50);
});

test('a link that is revoked while many use it admits no user after that', async () => {
  const workspace = await space();
  const { body: link } = await newLink(workspace);
  const { workspace_id } = workspace;
  const { link_id } = link;
  const [answers, revoked] = await Promise.all([
    times(30, (i) => join(workspace, people[i], link.token)),
    times(1, () => backend.joinLinks.revoke({ workspace_id, link_id })),
  ]);
  if (!disturbed()) expect(revoked[0]?.status).toBe(200);
  const joined = answers.filter(({ status }) => status < 300).length;
  expect(joined + (counted(answers)['join_link_invalid'] ?? 0)).toBe(30);
  const { members, links } = await expectExact(workspace);
  expect([members.length, links.length]).toEqual([1 + joined, 0]);
  expect((await join(workspace, people[99], link.token)).body.code).toBe('join_link_invalid');
});

test('200 users who ask concurrently have 200 join requests; one user who asks 40 times has one', async () => {
  const workspace = await space('suggest');
  const answers = await times(200, (i) => ask(workspace, people[i]));
  expect(answers.every(({ status }) => status < 300)).toBe(true);
  expect((await expectExact(workspace)).requests).toHaveLength(200);
  expect((await listed(workspace, 'joinRequests')).total).toBe(200);
  const other = await space('suggest');
  const again = await times(40, () => ask(other, people[0]));
  if (!disturbed()) expect(counted(again)).toEqual({ 201: 1, 200: 39 });
  expect(new Set(again.map(({ body }) => body.created_at)).size).toBe(1);
  expect((await expectExact(other)).requests).toEqual([people[0]?.uid]);
});

test('30 concurrent join requests at room for 10 create ten', async () => {
  const workspace = await space('suggest');
  const { workspace_id } = workspace;
  await ask(workspace, people[199]);
  const [model] = await world.table.query(`WS#${workspace_id}`, joinRequestPrefix);
  await times(989, (i) => {
    const uid = `0192f0c1-0000-7000-8000-${String(i).padStart(12, '0')}`;
    return world.table.put({ ...model, ...keys.joinRequest(workspace_id, uid), user_id: uid });
  });
  await world.table.update(keys.workspace(workspace_id), { join_request_count: 990 });
  const answers = await times(30, (i) => ask(workspace, people[i]));
  const made = answers.filter(({ status }) => status < 300).length;
  expect([made, counted(answers)['join_request_limit_reached']]).toEqual([10, 20]);
  expect((await expectExact(workspace)).requests).toHaveLength(1_000);
});

test('one of a concurrent approval and withdrawal succeeds: a member, or nothing', async () => {
  const workspace = await space('suggest');
  const asking = people.slice(0, 20);
  await times(20, (i) => ask(workspace, asking[i]));
  const outcomes = await Promise.all(
    asking.map((person, i) => {
      const both = [
        () => times(2, () => approve(workspace, person)),
        () => times(2, () => end(workspace, person)),
      ];
      return Promise.all((i % 2 ? both : both.toReversed()).map((start) => start()));
    }),
  );
  const { members, requests } = await expectExact(workspace);
  expect(requests).toEqual([]);
  for (const [i, answers] of outcomes.entries()) {
    const [approved = [], ended = []] = i % 2 ? answers : answers.toReversed();
    const isMember = members.includes(asking[i]?.uid ?? '');
    if (disturbed()) continue;
    expect(counted(approved)).toEqual(isMember ? { 201: 1, 200: 1 } : { not_found: 2 });
    expect(counted(ended)).toEqual(isMember ? { not_found: 2 } : { 200: 1, not_found: 1 });
  }
});

test('a user who asks, joins and is added concurrently is a member without a join request', async () => {
  const workspace = await space('auto');
  const { workspace_id } = workspace;
  await times(60, (i) => {
    const person = people[i % 20];
    if (i < 20) return ask(workspace, person);
    if (i < 40) return join(workspace, person);
    return backend.members.add({ workspace_id, user_id: person?.uid, role: 'member' });
  });
  expect((await expectExact(workspace)).members).toHaveLength(21);
  expect(await listed(workspace, 'joinRequests')).toEqual({ total: 0, count: 0, result: [] });
});

test('join requests and links created while the workspace is deleted are removed', async () => {
  const spaces = await times(5, () => space('suggest'));
  await Promise.all(
    spaces.flatMap((workspace) => [
      times(6, (i) => ask(workspace, people[i])),
      times(6, () => newLink(workspace)),
      times(1, () => backend.workspaces.delete({ workspace_id: workspace.workspace_id })),
      times(6, (i) => ask(workspace, people[6 + i])),
    ]),
  );
  await world.drainStream();
  for (const { workspace_id } of spaces) {
    const left = (await world.table.query(`WS#${workspace_id}`)).map(({ sk }) => String(sk));
    expect(left.filter((sk) => /^(?:REQUEST|LINK|DOMAIN)#/.test(sk))).toEqual([]);
  }
});
