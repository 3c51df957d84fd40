import { expect, test } from 'vitest';
import { newUid } from '#shared/model/ids.ts';
import { expectProblem } from '../../support/expectations.ts';
import { signInProject } from '../../support/sign-in.ts';
import { atWindow } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const ours = await signInProject(world);
const { project } = ours;
const verify = (bearer: string) => world.as(bearer).emails.verify();
const confirm = (bearer: string, token: string) => world.as(bearer).emails.confirm({ token });
/** The mails to an address, after all requested ones have been sent. */
async function mailsTo(email: string) {
  await world.drainStream();
  return world.mails().filter(({ to }) => to === email);
}

test('202 mails a link whose token verifies the e-mail', async () => {
  const { bearer, email, user } = await world.user({ project });
  const { status, body } = await verify(bearer);
  expect([status, body]).toEqual([202, { expires_in: 86_400 }]);
  const [mail, ...others] = await mailsTo(email);
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ to: email, subject: 'Verify your e-mail address for Test' });
  // The request alone verifies nothing.
  expect((await world.as(bearer).users.getMe()).body).toEqual(user);
  const confirmed = await confirm(bearer, await ours.mailed(email));
  expect(confirmed.body.verified).toEqual({ email: true });
});

test('202 for an e-mail that is verified already; its token can be confirmed without a change', async () => {
  const { bearer, email, user } = await world.user({ project, verified: true });
  expect((await verify(bearer)).status).toBe(202);
  const { status, body } = await confirm(bearer, await ours.mailed(email));
  expect([status, body]).toEqual([200, { ...user, modified_at: body.modified_at }]);
});

test('202 three times in ten minutes, each with a new token, then 429', async () => {
  atWindow(1_800, 0);
  const { bearer, email } = await world.user({ project });
  const tokens = new Set<string>();
  for (let i = 0; i < 3; i += 1) {
    expect((await verify(bearer)).status).toBe(202);
    tokens.add(await ours.mailed(email));
  }
  expect(tokens.size).toBe(3);
  const answer = await verify(bearer);
  expectProblem(answer, 'too_many_requests');
  expect(answer.headers.get('retry-after')).toBe('600');
  expect(await mailsTo(email)).toHaveLength(3);
});

test('409 email_missing for a user without an e-mail', async () => {
  const { uid } = (await world.as(project).users.get({ uid: newUid(new Date()) })).body;
  const { bearer } = await world.session(uid, project);
  expectProblem(await verify(bearer), 'email_missing');
});
