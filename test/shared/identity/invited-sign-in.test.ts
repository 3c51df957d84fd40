/** @module-tag engine */
import { expect, test } from 'vitest';
import { expectProblem } from '../../support/expectations.ts';
import { startFaultyWorld } from '../../support/faulty-world.ts';
import { newPerson, settingsOf, signInByIdentity as signIn } from '../../support/identities.ts';
import { startOpenidProvider } from '../../support/openid-provider.ts';
import { eventsOf } from '../../support/recorded-events.ts';
import { signInProject } from '../../support/sign-in.ts';

// An invited person who first signs in with an identity provider: the invitation has already created their user.
const { faults, world } = await startFaultyWorld();
const google = await startOpenidProvider();

/** A project in which users sign in only with a provider, and an invited person. */
async function invited(person = newPerson(), settings: object = {}) {
  const ours = await signInProject(world, {
    identity_providers: { google: { ...settingsOf(google), ...settings } },
    ...{ password_sign_in: false, code_sign_in: false, link_sign_in: false },
    workspace_creation: 'anyone',
  });
  const inviter = await ours.newUser();
  const { workspace_id } = (await world.as(inviter).workspaces.create({ name: 'Ours' })).body;
  const { email } = person;
  const invitation = await world
    .as(inviter)
    .invitations.create({ workspace_id, email, role: 'member' });
  expect(invitation.status).toBe(201);
  const { user_id: uid } = invitation.body;
  return { ours, backend: world.as(ours.project), workspace_id, person, email, uid };
}

test('201 verifies the e-mail of a user that only an invitation created, who can then join', async () => {
  const { ours, workspace_id, person, email, uid } = await invited();
  const { status, body } = await signIn(ours, google.signed(person));
  expect([status, body.uid, body.user_created]).toEqual([201, uid, false]);
  expect(body.user).toMatchObject({
    ...{ email, social: 'google', verified: { email: true } },
    sign_in_methods: { google: { enabled: true } },
  });
  expect((await eventsOf(world, uid)).events.map(({ type }) => type)).toEqual([
    'user.email_verified',
    'user.identity_linked',
    'session.started',
  ]);
  const mine = world.as(ours.person(body));
  expect((await mine.members.join({ workspace_id, user_id: uid })).status).toBe(201);
  const again = await signIn(ours, google.signed(person));
  expect([again.status, again.body.uid]).toEqual([201, uid]);
});

test.each<[name: string, touch: (at: Awaited<ReturnType<typeof invited>>) => Promise<unknown>]>([
  [
    'a backend created again by e-mail, which a stranger may have typed',
    async ({ backend, email, uid }) => {
      const { status, body } = await backend.users.create({ email });
      expect([status, body.uid]).toEqual([200, uid]);
    },
  ],
  [
    'a backend signed in without a verified e-mail',
    async ({ backend, uid }) => {
      expect((await backend.sessions.create({ uid })).status).toBe(201);
    },
  ],
  [
    'a backend gave an external id',
    async ({ backend, uid }) => {
      expect((await backend.users.update({ uid, external_id: `ours-${uid}` })).status).toBe(200);
    },
  ],
])('409 for an invited user whom %s', async (_, touch) => {
  const at = await invited();
  await touch(at);
  expectProblem(await signIn(at.ours, google.signed(at.person)), 'identity_link_required');
  const { body } = await at.backend.users.get({ uid: at.uid });
  expect(body.verified).toEqual({ email: false });
});

test('409 if a backend creates the user by e-mail between the reads and the writes', async () => {
  const at = await invited();
  faults.beforeWrite(() => at.backend.users.create({ email: at.email }));
  expectProblem(await signIn(at.ours, google.signed(at.person)), 'identity_link_required');
});

test('409 if Google does not run the mailbox of the e-mail', async () => {
  const iss = 'https://accounts.google.com';
  const person = newPerson({ email: 'invited@startup.com' });
  const { ours, uid } = await invited(person, { issuer: iss });
  const claims = { ...person, iss };
  expectProblem(await signIn(ours, google.signed(claims)), 'identity_link_required');
  const hosted = await signIn(ours, google.signed({ ...claims, hd: 'startup.com' }));
  expect([hosted.status, hosted.body.uid]).toEqual([201, uid]);
});
