import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { factorProject } from '../../support/factors.ts';
import { startWorld } from '../../support/world.ts';

/** How changes of an account affect its second factor. */

const world = await startWorld();
const { enrol, project, code, post, mailed } = await factorProject(world);

test('the export of a user has the factor, without a recovery code', async () => {
  const ada = await world.user({ project });
  expect((await world.as(ada).users.export({ uid: ada.uid })).body).not.toHaveProperty('factors');
  const { factor } = await enrol(ada);
  const { recovery_codes, ...shown } = factor;
  const { body } = await world.as(ada).users.export({ uid: ada.uid });
  expect(body.factors).toEqual([shown]);
  expect(JSON.stringify(body)).not.toContain(recovery_codes[0]);
});

test('the factor is deleted with its user', async () => {
  const ada = await world.user({ project });
  await enrol(ada);
  await world.call('DELETE', `/users/${ada.uid}`, project.basic);
  expect(await world.table.get(keys.factor(ada.uid))).toBeUndefined();
});

test('the first verification of the e-mail removes a factor from before, and does not ask for it', async () => {
  const email = 'victim@factors.example.com';
  const ada = await world.user({ project, email });
  await enrol(ada);
  const proven = await post<{ uid: string }>('/sessions/code', await code(email));
  expect([proven.status, proven.body.uid]).toEqual([201, ada.uid]);
  expect(await world.table.get(keys.factor(ada.uid))).toBeUndefined();
  expect(await world.table.get(keys.user(ada.uid))).not.toHaveProperty('factor_method');
});

test('changing an unverified e-mail keeps the factor, because a stolen session may choose the new one', async () => {
  const ada = await world.user({ project, email: 'unproven@factors.example.com' });
  await enrol(ada);
  const email = 'chosen@factors.example.com';
  await world.as(ada).emails.change({ email });
  const { body } = await world.as(ada).emails.confirm({ token: await mailed(email) });
  expect(body.email).toBe(email);
  expect(await world.table.get(keys.factor(ada.uid))).toHaveProperty('confirmed_at');
  expect(await post('/sessions/code', await code(email))).toMatchObject({
    status: 200,
    body: { mfa_required: true },
  });
});
