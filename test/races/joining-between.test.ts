import { afterAll, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { domainRecord } from '#shared/workspaces/domains/modes.ts';
import { isTransaction, lostAnswers } from '../faults/fault.ts';
import { startFaultyWorld } from '../support/faulty-world.ts';
import { startNameServer } from '../support/name-server.ts';
import type { Routes } from '../support/routes.ts';
import type { Person } from '../support/world.ts';

// Another request runs exactly between the reads and the write of a request: the proxy delays the write.
const { faults, world } = await startFaultyWorld();
const dns = await startNameServer();
afterAll(() => dns.close());
const { project_id } = world.project;
let scenes = 0;

type Action = keyof Awaited<ReturnType<typeof scene>>['actions'];

/** A join request of a user at a suggested domain, join links, and an admin at another domain. */
async function scene() {
  scenes += 1;
  const domain = `d${scenes}.com`;
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const own = `admin${scenes}.com`;
  const person = (email: string) => world.user({ email, verified: true });
  const admin = await world.member(workspace, 'admin', await person(`ada@${own}`));
  const record = domainRecord({ project_id, workspace_id }, own);
  dns.publish(record.name, record.value);
  const asker = await person(`asker@${domain}`);
  const other = await person(`other@${domain}`);
  const [byProject, byAdmin] = [world.as(world.project), world.as(admin)];
  const [byAsker, byOther] = [world.as(asker), world.as(other)];
  const setMode = (mode: string) => () => byProject.domains.set({ workspace_id, domain, mode });
  const ask = ({ joinRequests }: Routes) => joinRequests.create({ workspace_id });
  await setMode('suggest')();
  await ask(byAsker);
  const link = async (given: object, { joinLinks } = world.as(owner)) =>
    (await joinLinks.create({ workspace_id, ...given })).body;
  const single = await link({ max_uses: 1 });
  const ofDomain = await link({ restrict_to_allowed_domains: true });
  const ofOwner = await link({ role: 'admin' });
  const ofAdmin = await link({}, byAdmin);
  const join = (user: Person, join_token?: string) => () =>
    world.as(user).members.join({ workspace_id, user_id: user.uid, join_token });
  const add = (user: Person) => () =>
    byProject.members.add({ workspace_id, user_id: user.uid, role: 'member' });
  const setList =
    (...allowed_domains: string[]) =>
    () =>
      byAdmin.workspaces.setAllowedDomains({ workspace_id, allowed_domains });
  const moveAway =
    ({ uid }: Person) =>
    () =>
      byProject.users.update({ uid, email: `${uid}@else.com` });
  const request = { workspace_id, user_id: asker.uid };
  const theAdmin = { workspace_id, user_id: admin.uid };
  const actions = {
    join: join(other),
    askedJoins: join(asker),
    useSingle: join(other, single.token),
    askedUsesSingle: join(asker, single.token),
    useOfDomain: join(other, ofDomain.token),
    useOfOwner: join(other, ofOwner.token),
    useOfAdmin: join(other, ofAdmin.token),
    revokeSingle: () => byProject.joinLinks.revoke({ workspace_id, link_id: single.link_id }),
    changeOwner: async () => {
      await world.table.update({ pk: `WS#${workspace_id}`, sk: 'WS' }, { owner_id: admin.uid });
    },
    ask: () => ask(byOther),
    askAgain: () => ask(byAsker),
    add: add(asker),
    addOther: add(other),
    approve: () => byAdmin.joinRequests.approve(request),
    refuse: () => byAdmin.joinRequests.delete(request),
    withdraw: () => byAsker.joinRequests.delete(request),
    newLink: () => byAdmin.joinLinks.create({ workspace_id }),
    newOwnersLink: () => world.as(owner).joinLinks.create({ workspace_id, role: 'admin' }),
    claim: () => byAdmin.domains.set({ workspace_id, domain: own, mode: 'suggest' }),
    claimInList: setList(own),
    clearList: setList(),
    prove: () => byAdmin.domains.prove({ workspace_id, domain: own }),
    moveAdmin: moveAway(admin),
    suspendAdmin: () => byProject.members.suspend({ ...theAdmin, suspended: true }),
    demoteAdmin: () => byProject.members.changeRole({ ...theAdmin, role: 'member' }),
    setAuto: setMode('auto'),
    setSuggest: setMode('suggest'),
    setOff: setMode('off'),
    moveEmail: moveAway(other),
    remove: () => byProject.workspaces.delete({ workspace_id }),
  };
  return { workspace_id, asker, actions };
}
const cases: [before: Action | undefined, first: Action, between: Action, outcome: unknown][] = [
  ['setAuto', 'join', 'setSuggest', 'approval_required'],
  ['setAuto', 'join', 'setOff', 'forbidden'],
  [undefined, 'useSingle', 'askedUsesSingle', 'join_link_invalid'],
  [undefined, 'useSingle', 'revokeSingle', 'join_link_invalid'],
  [undefined, 'useSingle', 'useSingle', 200],
  [undefined, 'useOfDomain', 'setOff', 'join_link_invalid'],
  [undefined, 'useOfDomain', 'moveEmail', 'join_link_invalid'],
  [undefined, 'useOfOwner', 'changeOwner', 'join_link_invalid'],
  [undefined, 'useOfAdmin', 'demoteAdmin', 'join_link_invalid'],
  [undefined, 'useOfAdmin', 'suspendAdmin', 'join_link_invalid'],
  [undefined, 'useOfAdmin', 'moveAdmin', 201],
  [undefined, 'newOwnersLink', 'changeOwner', 'forbidden'],
  [undefined, 'newLink', 'demoteAdmin', 'forbidden'],
  [undefined, 'newLink', 'remove', 'not_found'],
  [undefined, 'claim', 'demoteAdmin', 'forbidden'],
  [undefined, 'claim', 'suspendAdmin', 'not_found'],
  [undefined, 'claim', 'moveAdmin', 'forbidden'],
  [undefined, 'claimInList', 'demoteAdmin', 'forbidden'],
  [undefined, 'claimInList', 'moveAdmin', 'forbidden'],
  [undefined, 'clearList', 'demoteAdmin', 'forbidden'],
  [undefined, 'clearList', 'moveAdmin', 200],
  [undefined, 'prove', 'demoteAdmin', 'forbidden'],
  [undefined, 'prove', 'suspendAdmin', 'not_found'],
  [undefined, 'prove', 'moveAdmin', 200],
  [undefined, 'ask', 'ask', 200],
  [undefined, 'ask', 'setOff', 'forbidden'],
  [undefined, 'ask', 'moveEmail', 'forbidden'],
  [undefined, 'ask', 'addOther', 'already_member'],
  // Somebody who may not see the workspace does not learn that there was one.
  [undefined, 'ask', 'remove', 'forbidden'],
  ['setAuto', 'join', 'remove', 'forbidden'],
  [undefined, 'useSingle', 'remove', 'forbidden'],
  [undefined, 'approve', 'withdraw', 'not_found'],
  [undefined, 'approve', 'refuse', 'not_found'],
  [undefined, 'approve', 'approve', 200],
  [undefined, 'approve', 'add', 200],
  [undefined, 'approve', 'demoteAdmin', 'forbidden'],
  [undefined, 'refuse', 'demoteAdmin', 'forbidden'],
  [undefined, 'refuse', 'approve', 'not_found'],
  [undefined, 'withdraw', 'approve', 'not_found'],
  [undefined, 'withdraw', 'refuse', 'not_found'],
  ['setAuto', 'askedJoins', 'withdraw', 201],
  ['setAuto', 'askedJoins', 'approve', 200],
  [undefined, 'add', 'withdraw', 201],
  [undefined, 'add', 'approve', 200],
];

test.each(cases)(
  'after %s: %s, with %s between its reads and its write: %s',
  async (before, first, between, outcome) => {
    const { workspace_id, asker, actions } = await scene();
    if (before) await actions[before]();
    faults.beforeWrite(() => actions[between]());
    const answer = await actions[first]();
    expect(answer?.body.code ?? answer?.status).toBe(outcome);
    if (between === 'remove') return;
    const items = await world.table.query(`WS#${workspace_id}`);
    const of = (prefix: string) => items.filter(({ sk }) => String(sk).startsWith(prefix));
    const [workspace] = of('WS');
    expect(workspace).toMatchObject({
      total_member_count: of('MEMBER#').length,
      join_link_count: of('LINK#').length,
    });
    // No member has a join request.
    const members = new Set(of('MEMBER#').map(({ user_id }) => user_id));
    expect(of('REQUEST#').filter(({ user_id }) => members.has(user_id))).toEqual([]);
    expect(of('MEMBER#').filter(({ user_id }) => user_id === asker.uid).length).toBeLessThan(2);
  },
);

test('a join request that is stored just as its user becomes a member is gone once they are removed', async () => {
  const { workspace_id, asker, actions } = await scene();
  faults.beforeWrite(() => actions.ask());
  const { status, body } = await actions.addOther();
  expect(status).toBe(201);
  const { members, joinRequests } = world.as(world.project);
  const { user_id } = body;
  expect((await members.remove({ workspace_id, user_id })).status).toBe(200);
  expect((await joinRequests.list({ workspace_id })).body).toMatchObject({
    ...{ total: 1, result: [{ user_id: asker.uid }] },
  });
});

test('a full workspace that deletes expired requests keeps one that its user makes again in between', async () => {
  const { workspace_id, asker, actions } = await scene();
  await world.table.update(keys.joinRequest(workspace_id, asker.uid), { expires_at: 1 });
  await world.table.update(keys.workspace(workspace_id), { join_request_count: 1_000 });
  faults.beforeWrite(() => actions.askAgain());
  expect((await actions.ask()).status).toBe(201);
  const stored = await world.table.query(`WS#${workspace_id}`, 'REQUEST#');
  expect(stored).toHaveLength(2);
  expect(await world.table.get(keys.workspace(workspace_id))).toMatchObject({
    join_request_count: 2,
  });
});

test.each(Object.entries(lostAnswers))(
  'a link is used once, in spite of a lost response: %s',
  async (_, fault) => {
    const { workspace_id, actions } = await scene();
    faults.inject(fault, { when: isTransaction });
    expect((await actions.useSingle()).status).toBe(201);
    const items = await world.table.query(`WS#${workspace_id}`);
    const of = (prefix: string) => items.filter(({ sk }) => String(sk).startsWith(prefix));
    expect(of('WS')[0]).toMatchObject({ total_member_count: of('MEMBER#').length });
    const uses = of('LINK#').map(({ use_count }) => Number(use_count));
    expect(uses.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 1]);
  },
);
