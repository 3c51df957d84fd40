import { describe, expect, test } from 'vitest';
import type { EventType } from '#shared/model/events.ts';
import { newPerson, settingsOf, signInByIdentity } from '../support/identities.ts';
import { startOpenidProvider } from '../support/openid-provider.ts';
import { anEvent, eventsDuring, eventsOf, self } from '../support/recorded-events.ts';
import { goodPassword, signInProject } from '../support/sign-in.ts';
import { sessionIdOf } from '../support/started.ts';
import { type Person, startWorld } from '../support/world.ts';

const world = await startWorld();
const provider = await startOpenidProvider();
const at = await signInProject(world, { identity_providers: { google: settingsOf(provider) } });
const { project } = at;
const another = `another ${goodPassword}`;
let people = 0;
const newEmail = () => {
  people += 1;
  return `person-${people}@example.com`;
};
const byGoogle = async (account: object) => {
  const { body } = await signInByIdentity(at, provider.signed({ ...newPerson(), ...account }));
  return { ...body, bearer: `Bearer ${body.access_token}` };
};
const reset = async (email: string, password: string) => {
  await at.post('/passwords/forgotten', { email });
  const token = await at.mailed(email);
  return (await at.post<Person>('/passwords', { token, password })).body;
};

type Tokens = Pick<Person, 'uid' | 'access_token'>;
/** The profile that a user passes to a public sign-in endpoint. */
const expected = (of: Tokens, method: string, ...before: [type: EventType, data?: object][]) => [
  ...before.map((each) => anEvent(self(of), ...each)),
  anEvent(self(of), 'session.started', { session_id: sessionIdOf(of), method }),
];

describe('a sign-up records events of the new user, the sign-in method and the session', () => {
  const ways: Record<
    string,
    [method: string, comesWith: Parameters<typeof expected>[2][], () => Promise<Tokens>]
  > = {
    'with a password': ['idpw', [['user.password_changed']], () => at.signUp(newEmail())],
    'with a code': ['email_code', [], () => at.signInByCode(newEmail())],
    'with a provider account': [
      'google',
      [['user.identity_linked', { provider: 'google' }]],
      () => byGoogle({ email: newEmail(), name: 'Ada' }),
    ],
  };

  test.each(Object.entries(ways))('%s', async (_, [method, comesWith, signUp]) => {
    const person = await signUp();
    const events = expected(person, method, ['user.created'], ...comesWith);
    expect(await eventsOf(world, person.uid)).toEqual({ events, event_count: events.length });
  });
});

describe('a sign-in records an event of the session', () => {
  test('with a password, and a wrong one records nothing', async () => {
    const { uid, email } = await at.signUp(newEmail());
    const right = await eventsDuring(world, uid, () => at.signIn(email));
    expect(right.events).toEqual(expected(right.answer, 'idpw'));
    const wrong = await eventsDuring(world, uid, () =>
      at.post('/sessions/password', { email, password: another }),
    );
    expect([wrong.answer.status, wrong.events]).toEqual([401, []]);
  });

  test('with a code', async () => {
    const { uid, email } = await at.signUp(newEmail());
    const { answer, events } = await eventsDuring(world, uid, () => at.signInByCode(email));
    expect(events).toEqual(expected(answer, 'email_code'));
  });

  test('with a provider account, and events of a new link and of filled fields', async () => {
    const email = newEmail();
    const { uid } = await world.user({ email, verified: true, project });
    const account = newPerson({ email, name: 'Ada King', email_verified: true });
    const first = await eventsDuring(world, uid, () => byGoogle(account));
    const linked = ['user.identity_linked', { provider: 'google' }] as const;
    const filled = ['user.updated', { fields: ['name', 'display_name'] }] as const;
    expect(first.events).toEqual(expected(first.answer, 'google', [...linked], [...filled]));
    const second = await eventsDuring(world, uid, () => byGoogle(account));
    expect(second.events).toEqual(expected(second.answer, 'google'));
  });

  test('with a mail to an unverified e-mail, and events of the verification and of what it removed', async () => {
    for (const [method, signIn] of [
      ['email_code', (email: string) => at.signInByCode(email)],
      ['idpw', (email: string) => reset(email, another)],
    ] as const) {
      const { uid, email } = await world.user({ email: newEmail(), project });
      const { answer, events } = await eventsDuring(world, uid, () => signIn(email));
      const set = method === 'idpw' ? [['user.password_changed'] as [EventType]] : [];
      expect(events).toEqual(
        expected(answer, method, ['user.email_verified'], ...set, [
          'user.sessions_ended',
          { count: 1 },
        ]),
      );
    }
  });
});

describe('a password', () => {
  test('reset by mail records events of the new password, the ended sessions and the new session', async () => {
    const { uid, email } = await at.signUp(newEmail());
    await at.signIn(email);
    const { answer, events } = await eventsDuring(world, uid, () => reset(email, another));
    const ended = ['user.sessions_ended', { count: 2 }] as [EventType, object];
    expect(events).toEqual(expected(answer, 'idpw', ['user.password_changed'], ended));
  });

  test('that is changed records events of the change and of the other sessions, which end', async () => {
    const person = await at.signUp(newEmail());
    const change = (current_password: string, new_password: string) =>
      world.call('PUT', '/users/me/password', person.bearer, { current_password, new_password });
    await at.signIn(person.email);
    const changed = await eventsDuring(world, person.uid, () => change(goodPassword, another));
    expect(changed.answer.status).toBe(200);
    expect(changed.events).toEqual([
      anEvent(self(person), 'user.password_changed'),
      anEvent(self(person), 'user.sessions_ended', { count: 1 }),
    ]);
    const alone = await eventsDuring(world, person.uid, () => change(another, goodPassword));
    expect(alone.events).toEqual([anEvent(self(person), 'user.password_changed')]);
    const wrong = await eventsDuring(world, person.uid, () => change(another, goodPassword));
    expect([wrong.answer.status, wrong.events]).toEqual([401, []]);
  });
});

test('a link of an identity records one event, and so does its removal', async () => {
  const person = await at.signUp(newEmail());
  const id_token = provider.signed(newPerson());
  const body = { provider: 'google', id_token, current_password: goodPassword };
  const link = () => world.call('POST', '/users/me/identities', person.bearer, body);
  const proof = { current_password: goodPassword };
  const unlink = () => world.call('DELETE', '/users/me/identities/google', person.bearer, proof);
  const data = { provider: 'google' };
  for (const [work, status, ...types] of [
    [link, 200, 'user.identity_linked'],
    [link, 200],
    [unlink, 200, 'user.identity_unlinked'],
    [unlink, 404],
  ] as [typeof link, number, ...EventType[]][]) {
    const { answer, events } = await eventsDuring(world, person.uid, work);
    expect(answer.status).toBe(status);
    expect(events).toEqual(types.map((type) => anEvent(self(person), type, data)));
  }
});

test('a confirmed e-mail records events of its change and verification', async () => {
  const person = await world.user({ email: newEmail(), project });
  const ask = (path: string, body?: object) => world.call('POST', path, person.bearer, body);
  const confirm = async (email: string) => {
    const token = await at.mailed(email);
    return eventsDuring(world, person.uid, () => ask('/users/me/email/confirmation', { token }));
  };
  const verified = anEvent(self(person), 'user.email_verified');
  const verify = () => ask('/users/me/email/verification');
  const asked = await eventsDuring(world, person.uid, verify);
  expect([asked.answer.status, asked.events]).toEqual([202, []]);
  expect((await confirm(person.email)).events).toEqual([verified]);
  await verify();
  const again = await confirm(person.email);
  expect([again.answer.status, again.events]).toEqual([200, []]);
  const email = newEmail();
  await ask('/users/me/email', { email });
  const changed = [anEvent(self(person), 'user.email_changed'), verified];
  expect((await confirm(email)).events).toEqual(changed);
});
