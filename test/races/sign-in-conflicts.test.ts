import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { keys } from '../../shared/db/schema.ts';
import { cancelled, exception, type Fault, lostAnswers } from '../faults/fault.ts';
import type { Answer } from '../support/call.ts';
import { expectProblem } from '../support/expectations.ts';
import { startFaultyEngine } from '../support/faults.ts';
import { startOpenidProvider } from '../support/openid-provider.ts';
import { goodPassword } from '../support/sign-in.ts';
import { startWorld } from '../support/world.ts';
import { times } from './many.ts';
import {
  allItems,
  itemsOf,
  knownCode,
  limitedScene,
  type Scene,
  sessionOf,
  sessionsOf,
} from './scene.ts';

// What no local engine does by itself: transactions that conflict, and answers to writes that never arrive.
const faults = await startFaultyEngine();
const world = await startWorld({ endpoint: faults.url });
const provider = await startOpenidProvider();
afterAll(() => Promise.all([faults.close(), provider.close()]));
beforeEach(() => faults.reset());
const { issuer, jwks_uri, client_id } = provider;
const google = { issuer, jwks_uri, client_ids: [client_id] };

const password = goodPassword;
const another = `another ${password}`;
const newEmail = (email: string) => `new.${email}`;
const identity = ({ email }: Scene) => ({
  provider: 'google',
  id_token: provider.signed({ sub: email, email }),
});
const lost = ['reset after it was done', 'half an answer', 'a 500 after it was done'];
const isCount = ({ operation }: { operation: string }) => operation === 'UpdateItem';
const isWrite = ({ operation }: { operation: string }) =>
  operation === 'TransactWriteItems' || operation === 'DeleteItem';
const conflict: Fault = (exchange) =>
  exchange.operation === 'TransactWriteItems'
    ? cancelled('TransactionConflict')(exchange)
    : exception('TransactionConflictException')(exchange);

type Made = {
  status: number;
  /** How many more there are of each afterwards; a count that was given back is none. */
  users?: number;
  sessions?: number;
  mails?: number;
  counts?: number;
  /** Makes what it needs; the function that it returns is what is disturbed. */
  prepare: (at: Scene) => Promise<() => Promise<Answer>>;
};

const mailed = { mails: 1, counts: 3 };
const requests: Record<string, Made> = {
  'passwords.signUp': {
    status: 202,
    ...mailed,
    prepare: async (at) => () => at.post('/sign-up', { email: at.email }),
  },
  'passwords.forgot': {
    status: 202,
    ...mailed,
    prepare: async (at) => () => at.post('/passwords/forgotten', { email: at.email }),
  },
  'passwords.set of a new user': {
    ...{ status: 201, users: 1, sessions: 1 },
    prepare: async (at) => {
      const { email, post } = at;
      await post('/sign-up', { email });
      const token = await at.mailed(email);
      return () => post('/passwords', { token, password });
    },
  },
  'passwords.set of a forgotten one': {
    ...{ status: 201, mails: 1 },
    prepare: async (at) => {
      const { email, post } = at;
      await at.signUp(email);
      await post('/passwords/forgotten', { email });
      const token = await at.mailed(email);
      return () => post('/passwords', { token, password: another });
    },
  },
  'passwords.signIn': {
    ...{ status: 201, sessions: 1 },
    prepare: async (at) => {
      await at.signUp(at.email);
      return () => at.post('/sessions/password', { email: at.email, password });
    },
  },
  'passwords.change': {
    ...{ status: 200, sessions: -1, mails: 1 },
    prepare: async (at) => {
      const { bearer } = await at.signUp(at.email);
      await at.signIn(at.email);
      const body = { current_password: password, new_password: another };
      return () => world.call('PUT', '/users/me/password', bearer, body);
    },
  },
  'codes.start': {
    status: 202,
    ...mailed,
    prepare: async (at) => () => at.post('/codes', { email: at.email }),
  },
  'codes.verify of a new user': {
    ...{ status: 201, users: 1, sessions: 1 },
    prepare: async (at) => {
      const proof = await knownCode(at);
      return () => at.post('/sessions/code', proof);
    },
  },
  'codes.verify of a user': {
    ...{ status: 201, sessions: 1 },
    prepare: async (at) => {
      await at.signUp(at.email);
      const proof = await knownCode(at);
      return () => at.post('/sessions/code', proof);
    },
  },
  'identities.signIn of a new user': {
    ...{ status: 201, users: 1, sessions: 1 },
    prepare: async (at) => () => at.post('/sessions/identity', identity(at)),
  },
  'identities.signIn of another account': {
    ...{ status: 201, sessions: 1, mails: 1 },
    prepare: async (at) => {
      await at.signUp(at.email);
      return () => at.post('/sessions/identity', identity(at));
    },
  },
  'identities.link': {
    ...{ status: 200, mails: 1 },
    prepare: async (at) => {
      const { bearer } = await at.signUp(at.email);
      const body = { ...identity(at), current_password: password };
      return () => world.call('POST', '/users/me/identities', bearer, body);
    },
  },
  'identities.unlink': {
    ...{ status: 200, mails: 1 },
    prepare: async (at) => {
      const { bearer } = await at.signUp(at.email);
      await at.post('/sessions/identity', identity(at));
      const proof = { current_password: password };
      return () => world.call('DELETE', '/users/me/identities/google', bearer, proof);
    },
  },
  'emails.verify': {
    status: 202,
    ...mailed,
    prepare: async (at) => {
      const { bearer } = await world.user({ email: at.email, project: at.project });
      return () => world.call('POST', '/users/me/email/verification', bearer);
    },
  },
  'emails.change': {
    status: 202,
    ...mailed,
    prepare: async (at) => {
      const { bearer } = await at.signUp(at.email);
      const body = { email: newEmail(at.email), current_password: password };
      return () => world.call('POST', '/users/me/email', bearer, body);
    },
  },
  'emails.confirm': {
    ...{ status: 200, mails: 1 },
    prepare: async (at) => {
      const { bearer } = await at.signUp(at.email);
      const email = newEmail(at.email);
      await world.call('POST', '/users/me/email', bearer, { email, current_password: password });
      const token = await at.mailed(email);
      return () => world.call('POST', '/users/me/email/confirmation', bearer, { token });
    },
  },
  'sessions.end': {
    ...{ status: 200, sessions: -1 },
    prepare: async (at) => {
      const { bearer } = await at.signUp(at.email);
      const path = `/sessions/${sessionOf(await at.signIn(at.email))}`;
      return () => world.call('DELETE', path, bearer);
    },
  },
  'sessions.endAll': {
    ...{ status: 200, sessions: -2 },
    prepare: async (at) => {
      const { uid } = await at.signUp(at.email);
      await at.signIn(at.email);
      return () => world.call('DELETE', `/sessions?user_id=${uid}`, at.project.basic);
    },
  },
  'sessions.signOut': {
    ...{ status: 200, sessions: -1 },
    prepare: async (at) => {
      const { bearer } = await at.signUp(at.email);
      return () => world.call('DELETE', '/sessions/current', bearer);
    },
  },
  'users.update that disables': {
    ...{ status: 200, sessions: -2 },
    prepare: async (at) => {
      const { uid } = await at.signUp(at.email);
      await at.signIn(at.email);
      const body = { disabled: true };
      return () => world.call('PUT', `/users/${uid}`, at.project.basic, body);
    },
  },
};

describe.each(Object.entries(requests))('%s', (_, { status, prepare, ...made }) => {
  const expectDone = async (at: Scene, disturb: () => void) => {
    const call = await prepare(at);
    const before = await state(at);
    faults.reset();
    disturb();
    expect((await call()).status).toBe(status);
    faults.reset();
    expect(await state(at)).toEqual(grown(before, made));
    await expectGuarded(at);
  };

  test('succeeds through conflicts that pass', async () => {
    const when = (call: { operation: string }) => isWrite(call) || isCount(call);
    await expectDone(await newProject(), () => faults.inject(conflict, { times: 3, when }));
  });

  test('takes effect once, and counts once, although answers are lost', async () => {
    await expectDone(await newProject(), () => {
      for (const fault of lost)
        for (const when of [isWrite, isCount]) faults.inject(lostAnswers[fault] as Fault, { when });
    });
  });
});

test('conflicts that last are temporarily unavailable, and nothing has happened', async () => {
  const at: Scene[] = [];
  const calls: (() => Promise<Answer>)[] = [];
  for (const { prepare } of Object.values(requests)) {
    const scene = await newProject();
    at.push(scene);
    calls.push(await prepare(scene));
  }
  const states = async () => Promise.all(at.map(state));
  const before = await states();
  faults.inject(conflict, { times: Infinity, when: isWrite });
  const answers = await Promise.all(calls.map((call) => call()));
  faults.reset();
  for (const answer of answers) expectProblem(answer, 'temporarily_unavailable');
  // What was counted stays counted: it may have been a guess.
  const after = await states();
  expect(after.map((one) => ({ ...one, counts: 0 }))).toEqual(
    before.map((one) => ({ ...one, counts: 0 })),
  );
}, 60_000);

test('a session starts although the oldest cannot be ended, and the next start makes up for it', async () => {
  const { uid } = await world.user();
  await times(49, () => world.session(uid));
  const when = ({ operation, body }: { operation: string; body: object }) =>
    operation === 'TransactWriteItems' && JSON.stringify(body).includes('"Delete"');
  faults.inject(exception('ThrottlingException'), { times: Infinity, when });
  const { bearer } = await world.session(uid);
  faults.reset();
  expect((await world.call('GET', '/users/me', bearer)).status).toBe(200);
  expect(await sessionsOf(world, uid)).toHaveLength(51);
  await world.session(uid);
  expect(await sessionsOf(world, uid)).toHaveLength(50);
});

test('a mail whose sender lost the answers to its notes is sent once', async () => {
  const at = await newProject();
  await at.post('/codes', { email: at.email });
  for (const fault of lost) faults.inject(lostAnswers[fault] as Fault, { when: isCount });
  expect((await at.mailTo(at.email))?.to).toBe(at.email);
  expect(world.mails().filter(({ to }) => to === at.email)).toHaveLength(1);
  const mails = (await itemsOf(world, at.project_id)).filter(({ sk }) => sk === 'MAIL');
  expect(mails).toMatchObject([{ outcome: 'sent' }]);
});

const newProject = () => limitedScene(world, { identity_providers: { google } });

type State = { users: number; sessions: number; mails: number; counts: number };

const grown = (before: State, made: Partial<State>): State => ({
  users: before.users + (made.users ?? 0),
  sessions: before.sessions + (made.sessions ?? 0),
  mails: before.mails + (made.mails ?? 0),
  counts: before.counts + (made.counts ?? 0),
});

/** How much there is of a project, and how much all counters together have counted. */
async function state({ project_id }: Scene): Promise<State> {
  const items = await allItems(world);
  const many = (prefix: string) =>
    items.filter(
      (item) => item['project_id'] === project_id && String(item['sk']).split('#')[0] === prefix,
    ).length;
  // An instance counts for many requests at a project's door at once, so those tell nothing of one.
  const counters = items.filter(({ pk }) => /^RATE#(?!projectDoor#)/.test(String(pk)));
  return {
    users: many('USER'),
    sessions: many('SESSION'),
    mails: many('MAIL'),
    counts: counters.reduce((sum, { count, total }) => sum + Number(count ?? total), 0),
  };
}

/** Every user of the project has the guard of its e-mail. */
async function expectGuarded({ project_id }: Scene): Promise<void> {
  for (const { sk, uid, email } of await itemsOf(world, project_id)) {
    if (sk !== 'USER') continue;
    const guard = await world.table.get(keys.emailGuard(project_id, String(email)));
    expect(guard).toMatchObject({ uid });
  }
}
