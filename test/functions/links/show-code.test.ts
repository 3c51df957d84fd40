import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { expectProblem } from '../../support/expectations.ts';
import { signInProject } from '../../support/sign-in.ts';
import { pass } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const ours = await signInProject(world);
const show = (link_id: string, token: string, at = ours) =>
  at.post<{ code: string }>('/links/code', { link_id, token });

test('200 returns the same six digits for the token of the link until it is used', async () => {
  const { link_id, verifier, token } = await ours.link('ada@example.com');
  const { status, body } = await show(link_id, token);
  expect([status, body]).toEqual([200, { code: expect.stringMatching(/^\d{6}$/) }]);
  expect((await show(link_id, token)).body).toEqual(body);
  await ours.post('/sessions/link', { link_id, verifier, ...body });
  expectProblem(await show(link_id, token), 'mail_token_invalid');
});

test('400 for the token of another link, in another project, after 15 minutes or five attempts', async () => {
  const [one, two] = [await ours.link('one@example.com'), await ours.link('two@example.com')];
  expectProblem(await show(one.link_id, two.token), 'mail_token_invalid');
  expectProblem(
    await show(one.link_id, one.token, await signInProject(world)),
    'mail_token_invalid',
  );
  await world.table.update(keys.signInLink(two.link_id), { tries: 5 });
  expectProblem(await show(two.link_id, two.token), 'mail_token_invalid');
  // The refused request did not make a code valid.
  expect(await world.table.get(keys.signInLink(one.link_id))).not.toHaveProperty('code_shown');
  pass(900_000);
  expectProblem(await show(one.link_id, one.token), 'mail_token_invalid');
});
