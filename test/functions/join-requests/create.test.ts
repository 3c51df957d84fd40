import { expect, test } from 'vitest';
import {
  aTime,
  expectProblem,
  expectSame,
  unknownWorkspaceId,
} from '../../support/expectations.ts';
import { type Person, startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;
const ask = (workspace_id: string, { bearer }: { bearer: string }, body: object = {}) =>
  as(bearer).joinRequests.create({ workspace_id, ...body });
const itemsOf = (workspace_id: string) => world.table.query(`WS#${workspace_id}`, 'REQUEST#');
const workspaceOf = async (workspace_id: string) =>
  (await world.table.get({ pk: `WS#${workspace_id}`, sk: 'WS' })) ?? {};
let people = 0;
const newUser = (domain: string, verified = true): Promise<Person> => {
  people += 1;
  return world.user({ email: `p${people}@${domain}`, verified });
};

test.each(['suggest', 'auto'])(
  '201 in a domain whose mode is %s, then 200 with the same request',
  async (mode) => {
    const { workspace_id } = await world.workspace();
    await as(project).domains.set({ workspace_id, domain: 'ask.com', mode });
    const ada = await newUser('Ask.com');
    const { status, body } = await ask(workspace_id, ada, { message: 'Hello,\nI am new.' });
    expect(status).toBe(201);
    expect(body).toEqual({
      workspace_id,
      user_id: ada.uid,
      message: 'Hello,\nI am new.',
      created_at: aTime(),
    });
    expect(await workspaceOf(workspace_id)).toMatchObject({
      join_request_count: 1,
      events: [
        {
          type: 'workspace.join_request.created',
          data: { user_id: ada.uid },
          actor: { kind: 'user', id: ada.uid },
        },
      ],
    });
    const again = await ask(workspace_id, ada, { message: 'Another' });
    expect([again.status, again.body]).toEqual([200, body]);
    expect(await itemsOf(workspace_id)).toHaveLength(1);
  },
);

test('201 again once the first request has expired, even if the table still has it', async () => {
  const { workspace_id } = await world.workspace();
  await as(project).domains.set({ workspace_id, domain: 'late.com', mode: 'suggest' });
  const ada = await newUser('late.com');
  const { body: first } = await ask(workspace_id, ada);
  const key = { pk: `WS#${workspace_id}`, sk: `REQUEST#${ada.uid}` };
  await world.table.update(key, { expires_at: 1 });
  const second = await ask(workspace_id, ada);
  expect(second.status).toBe(201);
  expect(second.body.created_at > first.created_at).toBe(true);
});

test('403 for any other user, with the same response as for an unknown or foreign workspace', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  await as(project).domains.set({ workspace_id, domain: 'closed.com', mode: 'auto' });
  await as(project).domains.set({ workspace_id, domain: 'closed.com', mode: 'off' });
  await as(project).domains.set({ workspace_id, domain: 'open.com', mode: 'suggest' });
  const foreign = await world.newProject();
  const theirs = await world.workspace({ owner: await world.user({ project: foreign }) });
  const strangers = [
    await newUser('closed.com'),
    await newUser('sub.open.com'),
    await newUser('open.com', false),
  ];
  for (const person of strangers) {
    const answer = await ask(workspace_id, person);
    expectProblem(answer, 'forbidden');
    expectSame(answer, await ask(unknownWorkspaceId, person));
    expectSame(answer, await ask(theirs.workspace_id, person));
  }
  expect(await itemsOf(workspace_id)).toEqual([]);
});

test('409 for a member and for an invited user, 403 for a suspended member', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  await as(project).domains.set({ workspace_id, domain: 'known.com', mode: 'suggest' });
  const { member, ...ada } = await world.member(workspace, 'member', await newUser('known.com'));
  expectProblem(await ask(workspace_id, ada), 'already_member', { member_id: member.member_id });
  const key = { pk: `WS#${workspace_id}`, sk: `MEMBER#${ada.uid}` };
  await world.table.update(key, { suspended_at: new Date().toISOString() });
  expectProblem(await ask(workspace_id, ada), 'membership_suspended');
  const invited = await world.invited(workspace, 'member', await newUser('known.com'));
  const { member_id } = invited.member;
  expectProblem(await ask(workspace_id, invited), 'invitation_exists', { member_id });
});

test('409 for the 1,001st open request; expired requests no longer count', async () => {
  const { workspace_id } = await world.workspace();
  await as(project).domains.set({ workspace_id, domain: 'many.com', mode: 'suggest' });
  const [first, last] = [await newUser('many.com'), await newUser('many.com')];
  await ask(workspace_id, first);
  const [model] = await itemsOf(workspace_id);
  const uid = (i: number) => `0192f0c1-0000-7000-8000-${String(i).padStart(12, '0')}`;
  const others = Array.from({ length: 999 }, (_, i) => ({
    ...model,
    sk: `REQUEST#${uid(i + 1)}`,
    user_id: uid(i + 1),
  }));
  await world.table.putAll(others);
  await world.table.update({ pk: `WS#${workspace_id}`, sk: 'WS' }, { join_request_count: 1_000 });
  expectProblem(await ask(workspace_id, last), 'join_request_limit_reached');
  await world.table.putAll(others.slice(0, 149).map((item) => ({ ...item, expires_at: 1 })));
  expect((await ask(workspace_id, last)).status).toBe(201);
  expect(await workspaceOf(workspace_id)).toMatchObject({ join_request_count: 852 });
  expect(await itemsOf(workspace_id)).toHaveLength(852);
});
