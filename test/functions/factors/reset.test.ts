import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { expectProblem } from '../../support/expectations.ts';
import { factorProject, newApp } from '../../support/factors.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const ours = await factorProject(world);
const { enrol, factorsOf, project } = ours;
const reset = (uid: string, auth = project.basic) =>
  world.call({ method: 'DELETE', path: `/users/${uid}/factors`, auth });

test('200 removes the factor and mails the user', async () => {
  const ada = await world.user({ project, verified: true });
  const { app } = await enrol(ada);
  const { status, body } = await reset(ada.uid);
  expect([status, body]).toEqual([200, expect.objectContaining({ type: 'totp' })]);
  expect(await world.table.get(keys.factor(ada.uid))).toBeUndefined();
  expectProblem(await factorsOf(ada).deleteTotp({ code: app.code() }), 'not_found');
  expectProblem(await reset(ada.uid), 'not_found');
  expect(await ours.subjectsTo(ada.email)).toContain('Two-step sign-in for Test is off');
});

test('if the project requires a second factor, the mail says that the user adds an app again', async () => {
  const strict = await factorProject(world, { mfa: 'required' });
  const { body: asked } = await strict.signUpWithMfa('reset@factors.example.com');
  const { body: started } = await strict.startEnrolment(asked);
  const { body: session } = await strict.confirmEnrolment(asked, newApp(started.secret).code());
  await world.drainStream();
  expect((await reset(session.uid, strict.project.basic)).status).toBe(200);
  const mail = await strict.mailTo('reset@factors.example.com');
  expect(mail?.subject).toBe('Your authenticator app for Test was removed');
  expect(mail?.text).toContain('As Test requires a second factor, you add an app again');
});

test('404 for a user without a factor', async () => {
  const { uid } = await world.user({ project });
  expectProblem(await reset(uid), 'not_found');
});
