import { describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { anId, aUser, expectProblem } from '../../support/expectations.ts';
import { newPerson, settingsOf, signInByIdentity as signIn } from '../../support/identities.ts';
import { startOpenidProvider } from '../../support/openid-provider.ts';
import { type Started, signInProject } from '../../support/sign-in.ts';
import { aSession, atWindow } from '../../support/started.ts';
import { twoProviders } from '../../support/two-providers.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { google, other, identity_providers, fresh } = await twoProviders(world);
const getMe = async ({ access_token }: Started) =>
  (await world.as(`Bearer ${access_token}`).users.getMe()).body;

/** Every user, e-mail, linked account and session. */
const storedUsers = async () =>
  (await world.table.all()).filter(({ sk }) =>
    /^(?:USER|EMAIL|IDENTITY|SESSION#.*)$/.test(String(sk)),
  );

describe('a new user', () => {
  const ada = {
    name: 'Ada Lovelace',
    given_name: 'Ada',
    family_name: 'Lovelace',
    picture: 'https://pictures.example.com/ada=s96-c',
  };

  test("201 is created with the provider's profile", async () => {
    const ours = await fresh();
    const person = newPerson({ ...ada, email: 'Ada@gmail.com' });
    const token = await google.idToken(person);
    const { status, headers, body } = await signIn(ours, token, { agreed_terms: { tos: true } });
    expect(status).toBe(201);
    expect(headers.get('cache-control')).toBe('no-store');
    const user = aUser({
      uid: body.uid,
      project_id: ours.project_id,
      email: 'Ada@gmail.com',
      verified: { email: true },
      social: 'google',
      sign_in_methods: { google: { enabled: true } },
      display_name: 'Ada Lovelace',
      name: { given_name: 'Ada', family_name: 'Lovelace', formatted: 'Ada Lovelace' },
      thumbnail_url: ada.picture,
      agreed_terms: { tos: body.user.created_at },
    });
    expect(body).toEqual(aSession(user, true));
    expect(body.uid).toEqual(anId());
    expect(await getMe(body)).toEqual(body.user);
    const list = await world.as(`Bearer ${body.access_token}`).sessions.list();
    expect(list.body.result).toMatchObject([{ method: 'google', current: true }]);
    const found = await world.as(ours.project).users.create({ email: 'ada@GMAIL.com' });
    expect([found.status, found.body.uid]).toEqual([200, body.uid]);
  });

  test('201 is created with an e-mail alone; invalid values of the profile are left out', async () => {
    const ours = await fresh();
    for (const more of [{}, { picture: 'http://insecure.example.com/a.png', name: ' \u202e ' }]) {
      const { status, body } = await signIn(ours, google.signed({ ...newPerson(), ...more }));
      expect(status).toBe(201);
      expect(body.user).toMatchObject({
        thumbnail_url: '',
        display_name: '',
        name: { given_name: '', family_name: '', formatted: '' },
      });
    }
  });

  test('201 signs in again with the profile that they have changed here since', async () => {
    const ours = await fresh();
    const person = newPerson(ada);
    const first = (await signIn(ours, await google.idToken(person))).body;
    const profile = { display_name: 'Countess', thumbnail_url: '', about_me: 'Hello' };
    const { users } = world.as(`Bearer ${first.access_token}`);
    const changed = await users.update({ uid: first.uid, ...profile });
    const renamed = { ...person, name: 'Ada King', picture: 'https://pictures.example.com/new' };
    const agreed_terms = { tos: true };
    const again = await signIn(ours, await google.idToken(renamed), { agreed_terms });
    expect([again.status, again.body]).toEqual([201, aSession(changed.body)]);
    expect(again.body.access_token).not.toBe(first.access_token);
    expect(again.body.refresh_token).not.toBe(first.refresh_token);
    expect(await getMe(again.body)).toEqual(again.body.user);
  });

  test('403 sign_up_disabled where sign-up is off; nothing is stored', async () => {
    const ours = await fresh({ sign_up: false });
    const before = await storedUsers();
    expectProblem(await signIn(ours, google.signed(newPerson())), 'sign_up_disabled');
    expect(await storedUsers()).toEqual(before);
    // A user that the backend created may sign in.
    const person = newPerson();
    const { email } = person;
    const { uid } = await world.user({ project: ours.project, email, verified: true });
    expect((await signIn(ours, google.signed(person))).body.uid).toBe(uid);
  });

  test('401 where the provider has not verified the e-mail or sends none; nothing is stored', async () => {
    const ours = await fresh();
    const before = await storedUsers();
    for (const email_verified of [false, 'no', undefined]) {
      const answer = await signIn(ours, await google.idToken(newPerson({ email_verified })));
      expectProblem(answer, 'identity_token_invalid');
      expect(answer.body.detail).toBe('The provider has not verified the e-mail');
    }
    const nameless = await signIn(ours, google.signed({ ...newPerson(), email: undefined }));
    expectProblem(nameless, 'identity_token_invalid');
    expect(nameless.body.detail).toBe(
      'The token has no e-mail; ask the provider for the scope email',
    );
    expect(await storedUsers()).toEqual(before);
  });
});

describe('401 identity_token_invalid', () => {
  const person = newPerson();
  const cases: [string, () => string, object?][] = [
    ['of another provider of the project', () => other.signed(person)],
    ['with another nonce', () => google.signed({ ...person, nonce: 'n-1' }), { nonce: 'n-2' }],
    ['without the nonce that is sent', () => google.signed(person), { nonce: 'n-1' }],
  ];

  test.each(cases)('for a token %s; nothing is stored', async (_, make, more) => {
    const ours = await fresh();
    const before = await storedUsers();
    const token = make();
    const answer = await signIn(ours, token, more);
    expectProblem(answer, 'identity_token_invalid');
    // The developer gets a reason, but the response contains nothing of the token.
    expect(answer.body.detail).not.toBe('');
    for (const part of token.split('.'))
      if (part.length > 3) expect(answer.body.detail).not.toContain(part);
    expect(await storedUsers()).toEqual(before);
  });

  test('201 with the nonce of the token', async () => {
    const nonce = 'n-0S6_WzA2Mj';
    const token = await google.idToken({ ...newPerson(), nonce });
    expect((await signIn(await fresh(), token, { nonce })).status).toBe(201);
  });
});

describe('the keys of the provider', () => {
  test('503 with Retry-After while the provider is down', async () => {
    const away = await startOpenidProvider();
    const token = away.signed(newPerson());
    await away.close();
    const ours = await fresh({
      identity_providers: { ...identity_providers, away: settingsOf(away) },
    });
    atWindow(1_800, 0);
    const window = Math.floor(Date.now() / 600_000);
    const key = keys.rate('failuresFromOne', `${ours.project_id} 127.0.0.1`, window);
    await world.table.put({ ...key, count: 98 });
    for (let i = 0; i < 3; i += 1) {
      const answer = await signIn(ours, token, { provider: 'away' });
      expectProblem(answer, 'temporarily_unavailable');
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    // The others of the network sign in by the providers that are there.
    expect((await signIn(ours, google.signed(newPerson()))).status).toBe(201);
  });
});

describe('the user and the provider', () => {
  test('403 sign_in_method_disabled for a provider that the project does not have', async () => {
    const ours = await fresh();
    const token = google.signed(newPerson());
    for (const provider of ['github', 'constructor', 'idpw', 'email_code', 'project'])
      expectProblem(await signIn(ours, token, { provider }), 'sign_in_method_disabled');
    const bare = await signInProject(world);
    expectProblem(await signIn(bare, token), 'sign_in_method_disabled');
  });

  test('403 user_disabled until the user is enabled again', async () => {
    const ours = await fresh();
    const { users } = world.as(ours.project);
    const known = newPerson();
    const { uid } = (await signIn(ours, google.signed(known))).body;
    const unlinked = newPerson();
    const { email } = unlinked;
    const second = await world.user({ project: ours.project, email, verified: true });
    for (const [person, id] of [
      [known, uid],
      [unlinked, second.uid],
    ] as const) {
      await users.update({ uid: id, disabled: true });
      expectProblem(await signIn(ours, google.signed(person)), 'user_disabled');
      await users.update({ uid: id, disabled: false });
      expect((await signIn(ours, google.signed(person))).body.uid).toBe(id);
    }
  });

  test('429 after 100 failures from one address in ten minutes; successes do not count', async () => {
    atWindow(1_800, 0);
    const ours = await fresh();
    const window = Math.floor(Date.now() / 600_000);
    const key = keys.rate('failuresFromOne', `${ours.project_id} 127.0.0.1`, window);
    await world.table.put({ ...key, count: 99 });
    const token = google.signed(newPerson());
    for (let i = 0; i < 3; i += 1) expect((await signIn(ours, token)).status).toBe(201);
    expectProblem(await signIn(ours, 'x'), 'identity_token_invalid');
    const answer = await signIn(ours, token);
    expectProblem(answer, 'too_many_requests');
    expect(answer.headers.get('retry-after')).toBe('600');
    expect((await signIn(await fresh(), token)).status).toBe(201);
  });
});
