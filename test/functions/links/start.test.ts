import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { aTime, expectProblem } from '../../support/expectations.ts';
import { type SignIn, signInProject } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const challenge = 'c'.repeat(43);
const start = ({ project_id }: SignIn, email: string) =>
  world.as().links.start({ project_id, email, challenge });
const sentTo = (email: string) => world.mails().filter(({ to }) => to === email);

test('202 mails a link with its token and id in the fragment; the table has neither token nor code', async () => {
  const page = 'https://app.example.com/link';
  const at = await signInProject(world, { mail_links: { sign_in_link: page } });
  const { status, headers, body } = await start(at, 'Ada@example.com');
  const { link_id } = body;
  expect([status, body]).toEqual([202, { link_id, expires_in: 900 }]);
  expect(headers.get('cache-control')).toBe('no-store');
  const mail = await at.mailTo('Ada@example.com');
  const token = await at.mailed('Ada@example.com');
  expect(mail?.text).toContain(
    `\n${page}?project_id=${at.project_id}#token=${token}&link_id=${link_id}\n`,
  );
  const item = await world.table.get(keys.signInLink(link_id));
  expect(item).toEqual({
    ...keys.signInLink(link_id),
    ...{ link_id, challenge, project_id: at.project_id, email: 'Ada@example.com', tries: 0 },
    created_at: aTime(),
    expires_at: Math.floor(Date.parse(String(item?.['created_at'])) / 1_000) + 900,
  });
});

test('202 whether or not a user has the e-mail; with sign-up off mails only existing users', async () => {
  const at = await signInProject(world, { sign_up: false });
  await world.user({ email: 'user@example.com', project: at.project });
  const answers = [await start(at, 'user@example.com'), await start(at, 'stranger@example.com')];
  const [known, unknown] = answers.map(({ status, body }) => [status, Object.keys(body)]);
  expect(unknown).toEqual(known);
  await world.drainStream();
  expect([sentTo('user@example.com').length, sentTo('stranger@example.com').length]).toEqual([
    1, 0,
  ]);
});

test('429 with the same limit as every other mail to one e-mail', async () => {
  const at = await signInProject(world);
  const email = 'busy@example.com';
  for (const way of ['/codes', '/sign-up']) await at.post(way, { email });
  expect((await start(at, email)).status).toBe(202);
  for (const answer of [await start(at, email), await at.post('/codes', { email })])
    expectProblem(answer, 'too_many_requests');
});
