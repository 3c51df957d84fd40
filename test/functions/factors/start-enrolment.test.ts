import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { expectProblem } from '../../support/expectations.ts';
import { factorProject } from '../../support/factors.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const required = await factorProject(world, { mfa: 'required' });

test('201 returns a secret that is valid as long as the token, and does not store it', async () => {
  const { body } = await required.signUpWithMfa('starting@factors.example.com');
  const { status, body: started } = await required.startEnrolment(body);
  expect(status).toBe(201);
  expect(started.uri).toContain(`secret=${started.secret}`);
  expect(started.expires_in).toBeGreaterThan(0);
  expect(started.expires_in).toBeLessThanOrEqual(600);
  const stored = JSON.stringify(await world.table.all());
  expect(stored).not.toContain(started.secret);
});

test('404 to confirm an enrolment that was not started', async () => {
  const { body } = await required.signUpWithMfa('confirming@factors.example.com');
  expectProblem(await required.confirmEnrolment(body, '123456'), 'not_found');
  const { uid = '' } = (await world.table.get(keys.mfaToken(body.mfa_token))) as { uid?: string };
  expect(await world.table.get(keys.factor(uid))).toBeUndefined();
});
