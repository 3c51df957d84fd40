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

/** An authenticator app that somebody else has written: it knows the text of a secret alone. */
export function newApp(secret: string) {
  const bits = Array.from(secret, (letter) =>
    alphabet.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  const key = Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
  return {
    /** The code of now, or of some steps before or after. */
    code: (steps = 0): string => codeAt(key, stepAt(new Date()) + steps),
    /** The code of the step before, with five seconds or more in which it is still accepted. */
    async codeBefore(): Promise<string> {
      const left = 30_000 - (Date.now() % 30_000);
      if (left < 5_000) await setTimeout(left);
      return codeAt(key, stepAt(new Date()) - 1);
    },
    /** None of the codes that are accepted now. */
    wrong(): string {
      const right = new Set([-1, 0, 1].map((steps) => codeAt(key, stepAt(new Date()) + steps)));
      return ['000000', '000001', '000002', '000003'].find((each) => !right.has(each)) ?? '';
    },
  };
}

/** Makes the sign-in of a session so many seconds older. */
export const age = (world: World, person: Person, seconds: number) =>
  world.table.update(keys.session(person.uid, sessionIdOf(person)), {
    created_at: new Date(Date.now() - seconds * 1_000).toISOString(),
  });

/** Makes every sign-in of somebody an hour old. */
export async function ageAll(world: World, { uid }: Pick<Person, 'uid'>) {
  const { pk } = keys.user(uid);
  for (const { sk } of await world.table.query(pk, sessionPrefix))
    await world.table.update(
      { pk, sk: String(sk) },
      { created_at: new Date(Date.now() - 3_600_000).toISOString() },
    );
}

/** Gives somebody an app, as one has who added it before the project turned second factors off. */
export async function giveApp(world: World, { uid }: Pick<Person, 'uid'>) {
  const now = new Date().toISOString();
  await world.table.put({
    ...keys.factor(uid),
    ...{ uid, factor_id: randomUUID(), created_at: now, confirmed_at: now, recovery_digests: [] },
  });
  await world.table.update(keys.user(uid), { factor_method: 'idpw' });
}

/** The answer to a first factor of somebody who has a second one. */
export type Asked = { mfa_required: true; mfa_token: string; methods: string[] };

type Waiting = Pick<Asked, 'mfa_token'>;

/** A project with second factors, and what its users do with them. */
export async function factorProject(world: World, settings: object = {}) {
  const ours: SignIn = await signInProject(world, { mfa: 'optional', ...settings });
  const factorsOf = (person: Person) => world.as(person).factors;
  return {
    ...ours,
    factorsOf,
    byPassword: (email: string) =>
      ours.post<Asked>('/sessions/password', { email, password: goodPassword }),
    /** Finishes a sign-in. */
    finish: ({ mfa_token }: Asked, proof: object) =>
      ours.post<Started & { code?: string }>('/sessions/mfa', { mfa_token, ...proof }),
    /** Signs up by mail and password where the project requires a second factor. */
    async signUpAsked(email: string, password = goodPassword) {
      await ours.post('/sign-up', { email });
      const token = await ours.mailed(email);
      return ours.post<Asked>('/passwords', { token, password });
    },
    /** Adds an app in the middle of a sign-in, where the project requires one. */
    startEnrolment: ({ mfa_token }: Waiting) =>
      ours.post<TotpEnrolment & { code?: string }>('/sessions/mfa/totp', { mfa_token }),
    confirmEnrolment: ({ mfa_token }: Waiting, code: string) =>
      ours.post<EnrolledSession & { code?: string }>('/sessions/mfa/totp/confirm', {
        ...{ mfa_token, code },
      }),
    /** Lets all codes of the app be good again, as half a minute later. */
    rest: (uid: string) => world.table.update(keys.factor(uid), { last_step: 0 }),
    /** Adds an authenticator app to somebody without a password, or with this one. */
    async enrol(person: Person, body: { current_password?: string } = {}) {
      const started = await factorsOf(person).startTotp(body);
      if (started.status !== 201) throw new Error(JSON.stringify(started.body));
      const app = newApp(started.body.secret);
      const confirmed = await factorsOf(person).confirmTotp({ code: app.code() });
      if (confirmed.status !== 201) throw new Error(JSON.stringify(confirmed.body));
      // As half a minute later: the code of now is still to be used.
      const last_step = stepAt(new Date()) - 1;
      await world.table.update(keys.factor(person.uid), { last_step });
      return { app, recovery_codes: confirmed.body.recovery_codes, factor: confirmed.body };
    },
  };
}
