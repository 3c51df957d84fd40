import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { ApiError } from '../../../client/client.ts';
import { claimsOf } from '../../model/tokens.ts';
import { newApp } from '../../support/factors.ts';
import { command } from '../operator.ts';
import { newPerson, personOf, type World } from '../world.ts';

/** A second factor, from its first code to its reset by the backend, of a user who signs in with mailed codes. */
export async function secondFactor(world: World): Promise<void> {
  const { checks, anyone, backend, mailbox, project } = world;
  const { project_id } = project;
  const email = 'edith@example.com';
  const edith = await newPerson(world, email);
  /** The token of a sign-in with a mailed code that requires the second factor. */
  async function firstStep(who = { project_id, email }): Promise<string> {
    const { body } = await anyone.codes.start(who);
    const code = await mailbox.nextCode(who.email);
    const { challenge_id } = body;
    const asked = await anyone.codes
      .verify({ project_id: who.project_id, challenge_id, code })
      .then(
        () => undefined,
        (error: unknown) => error,
      );
    ok(asked instanceof ApiError && asked.code === 'mfa_required');
    return String(asked.problem['mfa_token']);
  }

  const made = await checks.check('an authenticator app is confirmed by its code', async () => {
    const { body } = await edith.client.factors.startTotp({});
    const app = newApp(body.secret);
    const confirmed = await edith.client.factors.confirmTotp({ code: await app.codeBefore() });
    equal(confirmed.body.recovery_codes.length, 10);
    return { app, recovery_codes: confirmed.body.recovery_codes };
  });
  await checks.check('a sign-in requires a code, which works once', async () => {
    const mfa_token = await firstStep();
    const proof = { project_id, mfa_token, code: made.app.code() };
    const { body } = await anyone.factors.signIn(proof);
    equal(body.uid, edith.uid);
    const { amr, acr } = claimsOf(body.access_token);
    deepEqual([amr, acr], [['otp', 'mfa'], 'aal2']);
    await rejects(anyone.factors.signIn(proof), { code: 'mfa_token_invalid' });
    const { body: list } = await personOf(world, body).client.factors.list();
    equal(list.result[0]?.recovery_codes_left, 10);
  });
  await checks.check(
    'the user authenticates again with a recovery code, and the token says so',
    async () => {
      const [recovery_code = ''] = made.recovery_codes.slice(4);
      const { body } = await edith.client.sessions.reauthenticate({ recovery_code });
      const { amr, acr } = claimsOf(body.access_token);
      deepEqual([amr, acr], [['otp', 'mfa'], 'aal2']);
      await rejects(edith.client.sessions.reauthenticate({ recovery_code }), {
        code: 'invalid_credentials',
      });
    },
  );
  await checks.check(
    'a recovery code replaces the app, and new codes replace the old ones',
    async () => {
      const mfa_token = await firstStep();
      const [recovery_code = '', old = ''] = made.recovery_codes;
      await anyone.factors.signIn({ project_id, mfa_token, recovery_code });
      const { body } = await edith.client.factors.renewRecoveryCodes({ recovery_code: old });
      equal(body.recovery_codes.length, 10);
      const [unused = '', last = ''] = body.recovery_codes;
      await edith.client.factors.deleteTotp({ recovery_code: unused });
      await rejects(edith.client.factors.deleteTotp({ recovery_code: last }), {
        code: 'not_found',
      });
    },
  );
  await checks.check('the backend resets the second factor', async () => {
    const { secret } = (await edith.client.factors.startTotp({})).body;
    await edith.client.factors.confirmTotp({ code: await newApp(secret).codeBefore() });
    await backend.factors.reset({ uid: edith.uid });
    equal((await edith.client.factors.list()).body.total, 0);
  });
  await checks.check(
    'a workspace requires a second factor, and a member without one is notified by mail',
    async () => {
      const emil = await newPerson(world, 'emil@example.com');
      const created = await backend.workspaces.create({ name: 'Engines', owner_id: edith.uid });
      const { workspace_id } = created.body;
      await backend.members.add({ workspace_id, user_id: emil.uid, role: 'member' });
      await backend.workspaces.update({ workspace_id, require_mfa: true, mfa_grace_days: 14 });
      await mailbox.nextText(emil.email, /(the workspace “Engines”)/);
      await backend.workspaces.delete({ workspace_id });
    },
  );
  await checks.check(
    'in a project that requires a second factor, the first sign-in adds one',
    async () => {
      const of = ['--project', 'strict'];
      await command('project:create', ...of, '--name', 'Strict');
      const doors = ['--code-sign-in', 'true', '--sign-up', 'true'];
      await command('project:update', ...of, ...doors, '--mfa', 'required');
      const mfa_token = await firstStep({ project_id: 'strict', email: 'edgar@example.com' });
      const waiting = { project_id: 'strict', mfa_token };
      const { secret } = (await anyone.factors.startEnrolment(waiting)).body;
      const code = newApp(secret).code();
      const { body } = await anyone.factors.confirmEnrolment({ ...waiting, code });
      equal(body.recovery_codes.length, 10);
      ok(body.user_created);
      await rejects(anyone.factors.startEnrolment(waiting), { code: 'mfa_token_invalid' });
    },
  );
}
