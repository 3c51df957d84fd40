import { deepEqual, equal, ok } from 'node:assert/strict';
import { bearer, createClient } from '../../../client/client.ts';
import { newSecret, sha256 } from '../../../shared/model/ids.ts';
import { newPerson, type Person, personOf, type World } from '../world.ts';

const firstPassword = 'correct horse battery staple';
const secondPassword = 'an entirely different phrase';
const thirdPassword = 'yet another secret sentence';

/** Users who sign up and sign in; returns one of them. */
export async function signIn(world: World): Promise<Person> {
  const { checks, anyone, mailbox, project, google } = world;
  const { project_id } = project;
  const email = 'ada@example.com';

  const ada = await checks.check('sign-up by a mailed link sets a password', async () => {
    await anyone.passwords.signUp({ project_id, email });
    const token = await mailbox.nextToken(email);
    const { body } = await anyone.passwords.set({
      ...{ project_id, token, password: firstPassword, display_name: 'Ada' },
    });
    equal(body.user_created, true);
    return personOf(world, body);
  });
  await checks.check('the user signs in with the password and changes it', async () => {
    const { body } = await anyone.passwords.signIn({ project_id, email, password: firstPassword });
    const other = personOf(world, body);
    await other.client.passwords.change({
      ...{ current_password: firstPassword, new_password: secondPassword },
    });
    await rejects(ada, 'the session from before the change');
  });
  const again = await checks.check('a forgotten password is reset by a mailed link', async () => {
    await anyone.passwords.forgot({ project_id, email });
    const token = await mailbox.nextToken(email);
    const { body } = await anyone.passwords.set({ project_id, token, password: thirdPassword });
    equal(body.user_created, false);
    return personOf(world, body);
  });
  // Each receives the three mails that ten minutes allow.
  const mailed = 'grace@example.com';
  await checks.check('a mailed code signs a new user up', async () => {
    const { body } = await anyone.codes.start({ project_id, email: mailed });
    const code = await mailbox.nextCode(mailed);
    const { challenge_id } = body;
    const session = await anyone.codes.verify({ project_id, challenge_id, code });
    equal(session.body.user_created, true);
  });
  await checks.check(
    'a mailed link signs in the browser that requested it, or another one by its code',
    async () => {
      const verifier = newSecret();
      const challenge = sha256(verifier);
      for (const by of ['token', 'code'] as const) {
        const asked = await anyone.links.start({ project_id, email: mailed, challenge });
        const { link_id } = asked.body;
        const opened = { project_id, link_id, token: await mailbox.nextToken(mailed) };
        const shown = by === 'code' ? (await anyone.links.showCode(opened)).body : opened;
        const { body } = await anyone.links.signIn({ project_id, link_id, verifier, ...shown });
        equal(body.user_created, false);
      }
    },
  );
  await checks.check('an OpenID provider signs a user up, and is linked and unlinked', async () => {
    const user = { sub: 'edsger', email: 'edsger@gmail.com', email_verified: true };
    const id_token = await google.idToken(user);
    const { body } = await anyone.identities.signIn({ project_id, provider: 'google', id_token });
    equal(body.user.social, 'google');
    const linked = await again.client.identities.link({
      ...{ provider: 'google', current_password: thirdPassword },
      id_token: await google.idToken({ sub: 'ada', email, email_verified: true }),
    });
    equal(linked.body.sign_in_methods?.['google']?.enabled, true);
    const { body: unlinked } = await again.client.identities.unlink({
      ...{ provider: 'google', current_password: thirdPassword },
    });
    equal(unlinked.sign_in_methods?.['google']?.enabled ?? false, false);
  });
  return again;
}

/** Sessions and how they end; returns a user whose session is still valid. */
export async function sessions(world: World): Promise<Person> {
  const { checks, backend, url } = world;
  const kim = await newPerson(world, 'kim@example.com');

  const renewed = await checks.check(
    'a session is renewed, and a retry gets the same tokens',
    async () => {
      const refresh = () =>
        createClient(url, {
          authorization: bearer(kim.refresh_token),
          retries: 0,
        }).sessions.refresh({
          accessToken: kim.access_token,
        });
      const first = await refresh();
      equal((await refresh()).body.refresh_token, first.body.refresh_token);
      return personOf(world, first.body);
    },
  );
  await checks.check('sessions are listed and ended, one and all', async () => {
    await backend.sessions.create({ uid: kim.uid });
    const { body } = await renewed.client.sessions.list({});
    equal(body.total, 2);
    const other = body.result.find(({ current }) => !current);
    await renewed.client.sessions.end({ session_id: other?.session_id ?? '' });
    await backend.sessions.create({ uid: kim.uid });
    equal((await renewed.client.sessions.endAll({})).body.ended, 1);
  });
  await checks.check('the backend acts as a user, who sees the session and ends it', async () => {
    const actor = { id: 'grace', reason: 'Ticket 1' };
    const { body } = await backend.sessions.create({ uid: kim.uid, actor });
    const grace = personOf(world, body);
    equal((await grace.client.users.getMe({})).body.uid, kim.uid);
    await fails(grace.client.users.delete({ uid: kim.uid }), 403);
    const { result } = (await renewed.client.sessions.list({})).body;
    const { session_id = '' } = result.find((each) => each.actor?.id === actor.id) ?? {};
    await renewed.client.sessions.end({ session_id });
    await rejects(grace, 'a session that the person has ended');
  });
  await checks.check('the next request after a sign-out is refused', async () => {
    const { body } = await backend.sessions.create({ uid: kim.uid });
    const leaving = personOf(world, body);
    const { access_token: token } = body;
    const active = async () => (await backend.sessions.introspect({ token })).body.active;
    equal(await active(), true);
    await leaving.client.sessions.signOut({});
    equal(await active(), false);
    await rejects(leaving, 'a session that was signed out');
  });
  return renewed;
}

/** Operations of a backend and a user on an account. */
export async function users(world: World): Promise<void> {
  const { checks, backend, mailbox } = world;
  const email = 'niklaus@example.com';

  const niklaus = await checks.check('the backend finds or creates users', async () => {
    const { body } = await backend.users.create({ email });
    const again = await backend.users.create({ email });
    equal(again.body.uid, body.uid);
    ok(/^0x[0-9a-fA-F]{40}$/.test(body.wallet.address), 'a wallet address');
    equal((await backend.users.get({ uid: body.uid })).body.email, email);
    equal((await backend.users.list({ email })).body.result[0]?.uid, body.uid);
    const rows = [{ email }, { email: `imported-${email}`, external_id: 'imported' }];
    const { results } = (await backend.users.import({ users: rows })).body;
    deepEqual(
      results.map(({ outcome }) => outcome),
      ['exists', 'created'],
    );
    const found = await backend.users.search({ uids: [body.uid] });
    equal(found.body.result[0]?.uid, body.uid);
    return personOf(world, (await backend.sessions.create({ uid: body.uid })).body);
  });
  await checks.check('a change of an old version is refused', async () => {
    const { headers } = await niklaus.client.users.getMe({});
    const ifMatch = headers.get('etag') ?? '';
    const change = (display_name: string) =>
      niklaus.client.users.update({ uid: niklaus.uid, display_name }, { ifMatch });
    equal((await change('Niklaus')).body.display_name, 'Niklaus');
    await fails(change('Niki'), 412);
  });
  await checks.check('an e-mail is verified and changed by mailed links', async () => {
    await niklaus.client.emails.verify({});
    const token = await mailbox.nextToken(email);
    const { body } = await niklaus.client.emails.confirm({ token });
    equal(body.verified.email, true);
    const other = 'wirth@example.com';
    await niklaus.client.emails.change({ email: other });
    const changed = await niklaus.client.emails.confirm({ token: await mailbox.nextToken(other) });
    equal(changed.body.email, other);
  });
  await checks.check('a user exports their data and is deleted', async () => {
    const { uid } = niklaus;
    await backend.users.setMetadata({ uid, app_metadata: { plan: 'team' } });
    await niklaus.client.users.mergeMetadata({ uid, user_metadata: { theme: 'dark' } });
    const metadata = (await niklaus.client.users.getMetadata({ uid })).body;
    equal([metadata.app_metadata?.['plan'], metadata.user_metadata?.['theme']].join(), 'team,dark');
    equal((await niklaus.client.users.export({ uid })).body.user.uid, uid);
    equal((await backend.users.delete({ uid })).body.uid, uid);
    equal((await backend.users.getDeletion({ uid })).body.uid, uid);
    await rejects(niklaus, 'the session of a deleted user');
  });
}

/** Asserts that a user's credential is rejected. */
async function rejects({ client }: Person, what: string): Promise<void> {
  await fails(client.users.getMe({}), 401, what);
}

/** Asserts that a call fails with a status. */
export async function fails(call: Promise<unknown>, status: number, what = ''): Promise<void> {
  const answered = await call.then(
    () => 'a success',
    (error: unknown) => (error as { status?: number }).status ?? error,
  );
  equal(answered, status, what);
}
