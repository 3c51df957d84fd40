import { afterAll, beforeEach, expect, test } from 'vitest';
import { expectProblem } from '../support/expectations.ts';
import { startFaultyEngine } from '../support/faults.ts';
import { goodPassword, signInProject } from '../support/sign-in.ts';
import { setCaptchaKeys, startSiteverify } from '../support/siteverify.ts';
import { startWorld } from '../support/world.ts';

// Another request runs exactly between the reads and the write of a sign-in, so its handler runs again.
const faults = await startFaultyEngine();
const world = await startWorld({ endpoint: faults.url });
const provider = await startSiteverify();
// The service reads the keys every 5 minutes.
const [at, another] = [
  await signInProject(world, { captcha: provider.setting() }),
  await signInProject(world, { captcha: provider.setting() }),
];
await setCaptchaKeys(
  [at, another].map(({ project_id }) => provider.keyOf(project_id, provider.setting())),
);
afterAll(() => faults.close());
beforeEach(() => faults.reset());

test('a handler that is retried does not verify its CAPTCHA token again, because the provider would refuse it', async () => {
  const email = 'ada@race.captcha.example.com';
  const solved = (path: string, body: object) =>
    at.post<{ uid: string }>(path, { ...body, captcha_token: provider.solve() });
  await solved('/sign-up', { email });
  const { body } = await at.post<{ uid: string }>('/passwords', {
    ...{ token: await at.mailed(email), password: goodPassword },
  });
  expect(provider.asked).toHaveLength(1);
  const { users } = world.as(at.project);
  const moved = { uid: body.uid, email: 'moved@race.captcha.example.com' };
  faults.beforeWrite(() => users.update(moved));
  // The account has another e-mail by then, but the captcha is still valid.
  const answer = await solved('/sessions/password', { email, password: goodPassword });
  expectProblem(answer, 'invalid_credentials');
  expect(provider.asked).toHaveLength(2);
});

test('one of several concurrent requests with the same CAPTCHA token is accepted', async () => {
  provider.asked.length = 0;
  for (const path of ['/codes', '/passwords/forgotten', '/sign-up']) {
    const captcha_token = provider.solve();
    const answers = await Promise.all(
      [1, 2, 3].map((n) =>
        another.post(path, { email: `n${n}@race.captcha.example.com`, captcha_token }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 400, 400]);
  }
  expect(provider.asked).toHaveLength(9);
});
