import { expect, test } from 'vitest';
import { newUid } from '#shared/model/ids.ts';
import { expectProblem, expectSame } from '../../support/expectations.ts';
import { goodPassword, signInProject } from '../../support/sign-in.ts';
import { atWindow } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const change = (auth: string, body: { email: string; current_password?: string }) =>
  world.as(auth).emails.change(body);
const getMe = (bearer: string) => world.as(bearer).users.getMe();
/** The mails to an address, after all requested ones have been sent. */
async function mailsTo(email: string) {
  await world.drainStream();
  return world.mails().filter(({ to }) => to === email);
}
/** A separate project, because mails are rate limited per project. */
const fresh = () => signInProject(world);

test('202 mails a link to the new e-mail and changes nothing yet', async () => {
  const { signUp } = await fresh();
  const { bearer, user } = await signUp('first@example.com');
  const { status, body } = await change(bearer, {
    email: 'Second@example.com',
    current_password: goodPassword,
  });
  expect([status, body]).toEqual([202, { expires_in: 3_600 }]);
  expect(await mailsTo('Second@example.com')).toMatchObject([
    { to: 'Second@example.com', subject: 'Confirm your new e-mail address for Test' },
  ]);
  // Only the sign-up mail: a change that was only requested is no reason for a notification.
  expect(await mailsTo('first@example.com')).toHaveLength(1);
  expect((await getMe(bearer)).body).toEqual(user);
});

test('202 without a password for a user who has none', async () => {
  const { signInByCode } = await fresh();
  const { bearer } = await signInByCode('code@example.com');
  const { status, body } = await change(bearer, { email: 'other-code@example.com' });
  expect([status, body]).toEqual([202, { expires_in: 3_600 }]);
  expect(await mailsTo('other-code@example.com')).toHaveLength(1);
});

test('202 for a user without an e-mail', async () => {
  const { project } = await fresh();
  const { uid } = (await world.as(project).users.get({ uid: newUid(new Date()) })).body;
  const { bearer } = await world.session(uid, project);
  expect((await change(bearer, { email: 'very-first@example.com' })).status).toBe(202);
  expect(await mailsTo('very-first@example.com')).toHaveLength(1);
});

test("202 for another user's e-mail, with the same response as for a free one", async () => {
  const { project } = await fresh();
  const { bearer } = await world.user({ project });
  await world.user({ project, email: 'taken@example.com' });
  const answer = await change(bearer, { email: 'taken@example.com' });
  expect(answer.status).toBe(202);
  expectSame(answer, await change(bearer, { email: 'free@example.com' }));
});

test('429 after three mails to one address by any users; other addresses are not limited', async () => {
  atWindow(1_800, 0);
  const { project } = await fresh();
  const email = 'flooded@example.com';
  for (let i = 0; i < 3; i += 1) {
    const { bearer } = await world.user({ project });
    expect((await change(bearer, { email })).status).toBe(202);
  }
  const { bearer } = await world.user({ project });
  // As often as mails of one user are in a day, of which these requests use up none.
  for (let i = 0; i < 20; i += 1) {
    const answer = await change(bearer, { email: 'FLOODED@example.com' });
    expectProblem(answer, 'too_many_requests');
    expect(answer.headers.get('retry-after')).toBe('600');
  }
  expect((await change(bearer, { email: 'dry@example.com' })).status).toBe(202);
});

test('429 after twenty mails of one user in a day, whatever their addresses and networks; it uses up no mail of the address', async () => {
  atWindow(86_400, 0);
  const { project } = await fresh();
  const [ada, bob] = [await world.user({ project }), await world.user({ project })];
  const ask = (bearer: string, name: string) => change(bearer, { email: `${name}@example.com` });
  for (let i = 0; i < 20; i += 1) expect((await ask(ada.bearer, `aim${i}`)).status).toBe(202);
  for (let i = 0; i < 4; i += 1) expectProblem(await ask(ada.bearer, 'aim'), 'too_many_requests');
  expect((await ask(bob.bearer, 'aim')).status).toBe(202);
});
