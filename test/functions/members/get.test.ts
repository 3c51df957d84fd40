import { expect, test } from 'vitest';
import { aMember, expectProblem, expectSame, unknownId } from '../../support/expectations.ts';
import { invitationCalls } from '../../support/invitations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;
const { countsOf } = invitationCalls(world);

test('200 for the backend and every member', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const [ada, admin] = [await world.member(workspace), await world.member(workspace, 'admin')];
  for (const auth of [project.basic, owner.bearer, admin.bearer, ada.bearer]) {
    const { status, body } = await as(auth).members.get({ workspace_id, user_id: ada.uid });
    expect([status, body]).toEqual([200, ada.member]);
  }
  expect((await as(ada).members.get({ workspace_id, user_id: owner.uid })).body).toEqual(
    aMember(workspace_id, owner.user, owner.user, { role: 'admin' }),
  );
});

test.each([
  ['get', {}],
  ['remove', {}],
  ['suspend', { suspended: true }],
  ['changeRole', { role: 'admin' }],
] as const)(
  '404 to %s a user who is not a member: invited, removed, of another workspace or project, unknown',
  async (verb, given) => {
    const workspace = await world.workspace();
    const { workspace_id, owner } = workspace;
    const gone = await world.member(workspace);
    await as(gone).members.remove({ workspace_id, user_id: gone.uid });
    const others = [gone, await world.invited(workspace), await world.user()];
    others.push(await world.member(await world.workspace()));
    others.push(await world.user({ project: await world.newProject() }));
    for (const auth of [project.basic, owner.bearer]) {
      const ask = (user_id: string) => as(auth).members[verb]({ workspace_id, user_id, ...given });
      const answer = await ask(unknownId);
      expectProblem(answer, 'not_found');
      for (const { uid } of others) expectSame(answer, await ask(uid));
    }
    expect(await countsOf(workspace_id)).toEqual({ members: 1, invitations: 1 });
  },
);
