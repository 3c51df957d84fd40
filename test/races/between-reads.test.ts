import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { newUid } from '#shared/model/ids.ts';
import { answeredAfter, type Call } from '../faults/fault.ts';
import { expectProblem } from '../support/expectations.ts';
import { startFaultyWorld } from '../support/faulty-world.ts';
import { newPerson, settingsOf, signInByIdentity } from '../support/identities.ts';
import { startOpenidProvider } from '../support/openid-provider.ts';
import { type SignIn, signInProject } from '../support/sign-in.ts';
import type { Person } from '../support/world.ts';

// Another request runs exactly between two reads of one, which then contradict each other: it reads again.
const { faults, world } = await startFaultyWorld();
const google = await startOpenidProvider();
const { table, project } = world;

const reads =
  (operation: string, sk: string) =>
  (call: Call): boolean =>
    call.operation === operation && call.text.includes(`{"S":"${sk}"}`);
const times = (fits: (call: Call) => boolean): number => faults.calls.filter(fits).length;

/** A user with a linked account, as stored. */
async function linked(ours: SignIn) {
  const person = await ours.newUser();
  const account = newPerson({ email: person.email });
  const token = google.signed(account);
  const user = keys.user(person.uid);
  const version = async () => Number((await table.get(user))?.['version']);
  const unlinked = await version();
  const link = () =>
    world.call('POST', '/users/me/identities', person.bearer, {
      provider: 'google',
      id_token: token,
    });
  const { body } = await link();
  expect(await version()).toBe(unlinked + 1);
  const key = keys.identity(ours.project_id, google.issuer, account.sub);
  const identity = { ...(await table.get(key)), ...key };
  const { identities } = (await table.get(user)) ?? {};
  faults.reset();
  return { person, token, user, version, link, body, identity, identities };
}
const fresh = () => signInProject(world, { identity_providers: { google: settingsOf(google) } });
const noticesTo = async ({ email }: Person) => {
  await world.drainStream();
  return world.mails().filter(({ to }) => to === email);
};

test('a link of an identity is made once if the same link is made between the reads of the user and the identity', async () => {
  const { person, user, version, link, body, identities } = await linked(await fresh());
  const known = await version();
  await table.update(user, { identities: undefined });
  faults.inject(
    answeredAfter(() => table.update(user, { identities })),
    { when: reads('GetItem', 'IDENTITY') },
  );
  const again = await link();
  expect([again.status, again.body, await version()]).toEqual([200, body, known]);
  expect(times(reads('BatchGetItem', 'USER'))).toBe(2);
  expect(await noticesTo(person)).toHaveLength(1);
});

test('a sign-in links an identity once if the same link is made between its reads of the identity and the user', async () => {
  const ours = await fresh();
  const { person, token, version, identity } = await linked(ours);
  const known = await version();
  await table.delete({ pk: identity.pk, sk: identity.sk });
  faults.inject(
    answeredAfter(() => table.put(identity)),
    { when: reads('BatchGetItem', 'IDENTITY') },
  );
  const { status, body } = await signInByIdentity(ours, token);
  expect([status, body.uid, await version()]).toEqual([201, person.uid, known]);
  expect(times(reads('BatchGetItem', 'IDENTITY'))).toBe(2);
  expect(await noticesTo(person)).toHaveLength(1);
});

test('a sign-in that links an identity increases the version of the user', async () => {
  const ours = await fresh();
  const { uid, email } = await ours.newUser();
  const version = async () => Number((await table.get(keys.user(uid)))?.['version']);
  const known = await version();
  const { status } = await signInByIdentity(ours, google.signed(newPerson({ email })));
  expect([status, await version()]).toEqual([201, known + 1]);
});

test('an invitation creates a user if the owner of the e-mail gives it up between the reads of both', async () => {
  const { workspace_id } = await world.workspace();
  const [uid, email] = [newUid(new Date()), 'given-up@example.com'];
  const guard = keys.emailGuard(project.project_id, email);
  await table.put({ ...guard, uid });
  faults.reset();
  const guards = reads('BatchGetItem', guard.sk);
  faults.inject(
    answeredAfter(() => table.delete(guard)),
    { when: guards },
  );
  const body = { email, role: 'member' };
  const path = `/workspaces/${workspace_id}/invitations`;
  const invited = await world.call('POST', path, project.basic, body);
  expect([invited.status, invited.body.email]).toEqual([201, email]);
  expect(invited.body.user_id).not.toBe(uid);
  expect(times(guards)).toBe(2);
});

test('a user cannot use their own join link if they become an admin again between the reads of user and creator', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const { uid, bearer } = await world.member(workspace, 'admin');
  const path = `/workspaces/${workspace_id}/join_links`;
  const { body: link } = await world.call<{ token: string }>('POST', path, bearer, {});
  const key = keys.member(workspace_id, uid);
  const member = { ...(await table.get(key)), ...key };
  await table.delete(key);
  faults.reset();
  faults.inject(
    answeredAfter(() => table.put(member)),
    { when: reads('BatchGetItem', key.sk) },
  );
  const body = { workspace_id, user_id: uid, join_token: link.token };
  expectProblem(await world.call('POST', '/workspaces/join', bearer, body), 'join_link_invalid');
});

test.each(['one', 'several'])(
  'an admin who invites %s with their own e-mail gets 404 if they are removed between the reads of their right and of the invitee',
  async (how) => {
    const workspace = await world.workspace();
    const { workspace_id } = workspace;
    const { uid, email, bearer } = await world.member(workspace, 'admin');
    const key = keys.member(workspace_id, uid);
    const guard = keys.emailGuard(project.project_id, email);
    faults.reset();
    faults.inject(
      answeredAfter(() => table.delete(key)),
      { when: (call) => ['GetItem', 'BatchGetItem'].some((each) => reads(each, guard.sk)(call)) },
    );
    const invitee = { email, role: 'member' };
    const body = how === 'one' ? invitee : { invitations: [invitee] };
    const path = `/workspaces/${workspace_id}/invitations`;
    expectProblem(await world.call('POST', path, bearer, body), 'not_found');
  },
);
