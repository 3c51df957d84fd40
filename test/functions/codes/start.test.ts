import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import type { Answer } from '../../support/call.ts';
import { aTime, expectProblem, expectSame } from '../../support/expectations.ts';
import { type SignIn, signInProject } from '../../support/sign-in.ts';
import { atWindow, pass } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const minute = 60;
const day = 86_400;
const start = ({ project_id }: SignIn, email: string) =>
  world.as().codes.start({ project_id, email });
const sentTo = (email: string) => world.mails().filter(({ to }) => to === email);
const aChallenge = expect.stringMatching(
  /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/,
);

/** A response byte for byte, except the ids of request and challenge. */
function bytes({ status, headers, body }: Answer): string {
  const own = new Set(['x-request-id', 'apigw-requestid', 'date']);
  const rest = [...headers].filter(([name]) => !own.has(name));
  return JSON.stringify([status, rest, body]).replace(body.challenge_id, 'its own');
}

test('202 mails a code of six digits, which is neither in the subject nor in the table', async () => {
  const at = await signInProject(world);
  const { status, headers, body } = await start(at, 'Ada@example.com');
  expect([status, body]).toEqual([202, { challenge_id: aChallenge, expires_in: 600 }]);
  expect(headers.get('cache-control')).toBe('no-store');
  const mail = await at.mailTo('Ada@example.com');
  expect(mail).toMatchObject({
    from: '"Test" <no-reply@example.com>',
    subject: 'Your sign-in code for Test',
    text: expect.stringMatching(/^\d{6}$/m),
  });
  const created_at = aTime();
  const item = await world.table.get(keys.challenge(body.challenge_id));
  expect(item).toEqual({
    ...keys.challenge(body.challenge_id),
    challenge_id: body.challenge_id,
    project_id: at.project_id,
    email: 'Ada@example.com',
    tries: 0,
    created_at,
    expires_at: Math.floor(Date.parse(String(item?.['created_at'])) / 1_000) + 600,
  });
  const code = await at.mailed('Ada@example.com');
  const items = [item, await world.table.get(keys.mail(body.challenge_id))];
  const values = items.flatMap((each) => Object.values(each ?? {}).map(String));
  expect(values.join('\n')).not.toMatch(new RegExp(`\\b${code}\\b`));
});

test('202 with the same bytes for a known, unknown or disabled user, with sign-up on or off', async () => {
  for (const sign_up of [true, false]) {
    const at = await signInProject(world, { sign_up });
    const made = { email: 'known@example.com', project: at.project };
    const { uid } = await world.user({ ...made, verified: true });
    await world.user({ email: 'disabled@example.com', project: at.project });
    await world.as(at.project).users.update({ uid, disabled: true });
    const answer = bytes(await start(at, 'known@example.com'));
    expect(answer).toContain('[202,');
    for (const email of ['unknown@example.com', 'disabled@example.com'])
      expect(bytes(await start(at, email))).toBe(answer);
  }
});

test('429 after three mails of any kind to one e-mail in ten minutes, whether or not a user has it', async () => {
  const at = await signInProject(world);
  await world.user({ email: 'owner@example.com', project: at.project });
  const elsewhere = await signInProject(world);
  atWindow(10 * minute, minute);
  const ways = ['/codes', '/sign-up', '/passwords/forgotten'];
  const answers: Answer[] = [];
  for (const email of ['owner@example.com', 'nobody@example.com']) {
    for (const way of ways) expect((await at.post(way, { email })).status).toBe(202);
    for (const way of ways) answers.push(await at.post(way, { email: email.toUpperCase() }));
  }
  const [refused, ...others] = answers as [Answer, ...Answer[]];
  expectProblem(refused, 'too_many_requests');
  expect(refused.headers.get('retry-after')).toBe(String(9 * minute));
  for (const other of others) expectSame(other, refused);
  await world.drainStream();
  expect(sentTo('owner@example.com')).toHaveLength(3);
  expect((await start(at, 'third@example.com')).status).toBe(202);
  expect((await start(elsewhere, 'owner@example.com')).status).toBe(202);
  pass((9 * minute - 1) * 1_000);
  expectProblem(await start(at, 'owner@example.com'), 'too_many_requests');
  pass(1_000);
  expect((await start(at, 'owner@example.com')).status).toBe(202);
});

test('429 after twenty mails to one e-mail in a day', async () => {
  const at = await signInProject(world);
  atWindow(day, minute);
  for (let sent = 0; sent < 20; sent += 1) {
    if (sent > 0 && sent % 3 === 0) pass(10 * minute * 1_000);
    expect((await start(at, 'daily@example.com')).status).toBe(202);
  }
  const hours = (await start(at, 'daily@example.com')).headers.get('retry-after');
  expect(hours).toBe(String(day - minute - 6 * 10 * minute));
  pass(day * 1_000);
  expect((await start(at, 'daily@example.com')).status).toBe(202);
});
