import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { EnrolledSession, TotpEnrolment } from '../../client/generated/api.ts';
import { sessionPrefix } from '../../shared/db/key-prefixes.ts';
import { keys } from '../../shared/db/keys.ts';
import { codeAt, stepAt } from '../../shared/factors/totp.ts';
import { goodPassword, type SignIn, type Started, signInProject } from './sign-in.ts';
import { sessionIdOf } from './started.ts';
import type { Person, World } from './world.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** An independent implementation of an authenticator app, which knows only the text of a secret. */
export function newApp(secret: string) {
  const bits = Array.from(secret, (letter) =>
    alphabet.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  const key = Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
  return {
    /** The current code, or one some time steps before or after. */
    code: (steps = 0): string => codeAt(key, stepAt(new Date()) + steps),
    /** The code of the previous time step, accepted for at least five more seconds. */
    async codeBefore(): Promise<string> {
      const left = 30_000 - (Date.now() % 30_000);
      if (left < 5_000) await setTimeout(left);
      return codeAt(key, stepAt(new Date()) - 1);
    },
    /** A code that is not accepted now. */
    wrong(): string {
      const right = new Set([-1, 0, 1].map((steps) => codeAt(key, stepAt(new Date()) + steps)));
      return ['000000', '000001', '000002', '000003'].find((each) => !right.has(each)) ?? '';
    },
  };
}

/** Moves the sign-in of a session this many seconds into the past. */
export const age = (world: World, person: Person, seconds: number) =>
  world.table.update(keys.session(person.uid, sessionIdOf(person)), {
    created_at: new Date(Date.now() - seconds * 1_000).toISOString(),
  });

/** Moves every sign-in of a user an hour into the past. */
export async function ageAll(world: World, { uid }: Pick<Person, 'uid'>) {
  const { pk } = keys.user(uid);
  for (const { sk } of await world.table.query(pk, sessionPrefix))
    await world.table.update(
      { pk, sk: String(sk) },
      { created_at: new Date(Date.now() - 3_600_000).toISOString() },
    );
}

/** Stores an app for a user, as if added before the project turned second factors off. */
export async function giveApp(world: World, { uid }: Pick<Person, 'uid'>) {
  const now = new Date().toISOString();
  await world.table.put({
    ...keys.factor(uid),
    ...{ uid, factor_id: randomUUID(), created_at: now, confirmed_at: now, recovery_digests: [] },
  });
  await world.table.update(keys.user(uid), { factor_method: 'idpw' });
}

/** The response to a first factor if a second one is required. */
export type MfaRequired = { mfa_required: true; mfa_token: string; methods: string[] };

type Waiting = Pick<MfaRequired, 'mfa_token'>;

/** A project with second factors, and its users' actions. */
export async function factorProject(world: World, settings: object = {}) {
  const ours: SignIn = await signInProject(world, { mfa: 'optional', ...settings });
  const factorsOf = (person: Person) => world.as(person).factors;
  return {
    ...ours,
    factorsOf,
    byPassword: (email: string) =>
      ours.post<MfaRequired>('/sessions/password', { email, password: goodPassword }),
    /** Finishes a sign-in. */
    finish: ({ mfa_token }: MfaRequired, proof: object) =>
      ours.post<Started & { code?: string }>('/sessions/mfa', { mfa_token, ...proof }),
    /** Signs up by mail and password in a project that requires a second factor. */
    async signUpWithMfa(email: string, password = goodPassword) {
      await ours.post('/sign-up', { email });
      const token = await ours.mailed(email);
      return ours.post<MfaRequired>('/passwords', { token, password });
    },
    /** Adds an app during a sign-in, if the project requires one. */
    startEnrolment: ({ mfa_token }: Waiting) =>
      ours.post<TotpEnrolment & { code?: string }>('/sessions/mfa/totp', { mfa_token }),
    confirmEnrolment: ({ mfa_token }: Waiting, code: string) =>
      ours.post<EnrolledSession & { code?: string }>('/sessions/mfa/totp/confirm', {
        ...{ mfa_token, code },
      }),
    /** Makes all codes of the app valid again, as half a minute later. */
    rest: (uid: string) => world.table.update(keys.factor(uid), { last_step: 0 }),
    /** Adds an authenticator app to a user without a password, or with this one. */
    async enrol(person: Person, body: { current_password?: string } = {}) {
      const started = await factorsOf(person).startTotp(body);
      if (started.status !== 201) throw new Error(JSON.stringify(started.body));
      const app = newApp(started.body.secret);
      const confirmed = await factorsOf(person).confirmTotp({ code: app.code() });
      if (confirmed.status !== 201) throw new Error(JSON.stringify(confirmed.body));
      // As half a minute later: the current code has not been used.
      const last_step = stepAt(new Date()) - 1;
      await world.table.update(keys.factor(person.uid), { last_step });
      return { app, recovery_codes: confirmed.body.recovery_codes, factor: confirmed.body };
    },
  };
}
