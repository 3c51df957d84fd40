import { beforeEach, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { limits } from '#shared/model/limits.ts';
import { rates } from '#shared/model/rates.ts';
import { expectProblem } from '../../support/expectations.ts';
import { factorProject } from '../../support/factors.ts';
import { goodPassword } from '../../support/sign-in.ts';
import { atWindow } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
beforeEach(() => atWindow(rates.factorFailures.seconds, 60));
const ours = await factorProject(world);
const { byPassword, enrol, factorsOf, finish } = ours;
const { max } = rates.factorFailures;
const most = limits.wrongFactorCodesInARow;

let people = 0;
async function someone() {
  people += 1;
  const email = `locked.${people}@factors.example.com`;
  const ada = await ours.signUp(email);
  const enrolled = await enrol(ada, { current_password: goodPassword });
  const { body: asked } = await byPassword(email);
  const guess = async (proof: object = { code: enrolled.app.wrong() }) => finish(asked, proof);
  return { ...enrolled, ada, email, guess };
}
/** The mails about it to an address. Mails of the same moment are in any order. */
const warningsTo = (email: string) =>
  world.mails().filter(({ to, subject }) => to === email && /wrong|falsche/.test(subject));
/** Their subjects, once all are sent. */
async function warnings(email: string): Promise<string[]> {
  await world.drainStream();
  return warningsTo(email).map(({ subject }) => subject);
}
/** The text of the last one sent. */
const newest = (email: string) => warningsTo(email)[0]?.text;
const subject = 'Too many wrong codes for Test';

test('a mail is sent at the last allowed wrong code in a quarter of an hour, and not before', async () => {
  const { email, guess } = await someone();
  for (let i = 1; i < max; i += 1) expectProblem(await guess(), 'invalid_credentials');
  expect(await warnings(email)).toEqual([]);
  expectProblem(await guess(), 'invalid_credentials');
  expect(await warnings(email)).toEqual([subject]);
  expectProblem(await guess(), 'too_many_requests');
  expect(await warnings(email)).toEqual([subject]);
  expect(newest(email)).toContain('none is accepted for a quarter of an hour');
});

test('wrong recovery codes cause no mail, because they cannot be guessed', async () => {
  const { email, guess } = await someone();
  for (let i = 0; i < max + 1; i += 1)
    expectProblem(await guess({ recovery_code: 'aaaaa-bbbbb-ccccc' }), 'invalid_credentials');
  expect(await warnings(email)).toEqual([]);
});

test('many concurrent wrong codes cause one mail', async () => {
  const { email, guess } = await someone();
  await Promise.all(Array.from({ length: max + 10 }, async () => guess()));
  expect(await warnings(email)).toEqual([subject]);
});

test('the hundredth wrong code in a row causes a mail: only a recovery code is accepted', async () => {
  const { ada, email, guess, app, recovery_codes } = await someone();
  await world.table.update(keys.factor(ada.uid), { tries: most - 1 });
  expectProblem(await guess(), 'invalid_credentials');
  expect(await warnings(email)).toEqual([subject]);
  expect(newest(email)).toContain('refused until you enter one of your recovery codes');
  expect(newest(email)).not.toContain('quarter of an hour');
  expectProblem(await guess({ code: app.code() }), 'factor_locked');
  expect((await guess({ recovery_code: recovery_codes[0] })).status).toBe(201);
});

test('a hundred in a row cause the mail at the next refused code, if the request before died', async () => {
  const { ada, email, guess, app, recovery_codes } = await someone();
  await world.table.update(keys.factor(ada.uid), { tries: most });
  expectProblem(await guess({ code: app.code() }), 'factor_locked');
  expect(await warnings(email)).toEqual([subject]);
  expect(newest(email)).toContain('refused until you enter one of your recovery codes');
  expect((await guess({ recovery_code: recovery_codes[0] })).status).toBe(201);
});

test('a user warned of the tenth is also warned of the hundredth on the same day', async () => {
  const { ada, email, guess } = await someone();
  const warned_until = Math.floor(Date.now() / 1_000) + 60;
  await world.table.update(keys.factor(ada.uid), { tries: most - 2, warned_until });
  expectProblem(await guess(), 'invalid_credentials');
  expect(await warnings(email)).toEqual([]);
  expectProblem(await guess(), 'invalid_credentials');
  expect(await warnings(email)).toEqual([subject]);
  expect(newest(email)).toContain('refused until you enter one of your recovery codes');
});

test('the mail is sent at most once a day', async () => {
  const { ada, email, guess } = await someone();
  const key = keys.factor(ada.uid);
  const present = Math.floor(Date.now() / 1_000);
  await world.table.update(key, { tries: most, locked_warned_until: present + 60 });
  expectProblem(await guess(), 'factor_locked');
  expect(await warnings(email)).toEqual([]);
  await world.table.update(key, { locked_warned_until: present - 1 });
  for (let i = 0; i < 2; i += 1) expectProblem(await guess(), 'factor_locked');
  expect(await warnings(email)).toEqual([subject]);
  const factor = (await world.table.get(key)) as { locked_warned_until: number };
  expect(factor.locked_warned_until).toBeGreaterThan(present + 86_000);
});

test('guesses with a stolen session cause a mail too, in a language that the session does not choose', async () => {
  const { ada, app, email } = await someone();
  const german = { headers: { 'accept-language': 'de' } };
  for (let i = 0; i < max; i += 1)
    await world.call({
      ...{ method: 'DELETE', path: '/users/me/factors/totp', auth: ada.bearer },
      ...{ body: { code: app.wrong() }, ...german },
    });
  expect(await warnings(email)).toEqual([subject]);
});

test('wrong codes of an unconfirmed app cause no mail', async () => {
  const email = 'beginner@factors.example.com';
  const ada = await ours.signUp(email);
  await factorsOf(ada).startTotp({ current_password: goodPassword });
  const confirm = async () =>
    world.call('POST', '/users/me/factors/totp/confirm', ada.bearer, { code: '000000' });
  for (let i = 0; i < max; i += 1) await confirm();
  expectProblem(await confirm(), 'too_many_requests');
  expect(await warnings(email)).toEqual([]);
});

test('a user without an e-mail gets no mail, and is refused all the same', async () => {
  const ada = await world.user({ project: ours.project });
  const { app } = await enrol(ada);
  await world.table.update(keys.user(ada.uid), { email: '' });
  const remove = async () =>
    world.call('DELETE', '/users/me/factors/totp', ada.bearer, { code: app.wrong() });
  for (let i = 0; i < max; i += 1) expectProblem(await remove(), 'invalid_credentials');
  expectProblem(await remove(), 'too_many_requests');
});
