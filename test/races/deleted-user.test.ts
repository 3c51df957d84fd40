import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { keys } from '../../shared/db/keys.ts';
import { stepAt } from '../../shared/factors/totp.ts';
import { doneAfter } from '../faults/fault.ts';
import { newAuthenticator } from '../support/authenticator.ts';
import { expectProblem } from '../support/expectations.ts';
import { type MfaRequired, newApp } from '../support/factors.ts';
import { startFaultyWorld } from '../support/faulty-world.ts';
import { page, passkeyProject } from '../support/passkeys.ts';
import { goodPassword, type Started } from '../support/sign-in.ts';

// The backend deletes a user just before a call of the user's request to the table.
const { faults, world } = await startFaultyWorld();

async function scene() {
  const ours = await passkeyProject(world, { mfa: 'optional' });
  const { post } = ours;
  const email = `ada.${randomUUID()}@example.com`;
  const ada = await ours.signUp(email);
  const { factors } = world.as(ada);
  const current_password = goodPassword;
  /** An app, none of whose codes is used. */
  const app = async () => {
    const made = newApp((await factors.startTotp({ current_password })).body.secret);
    await factors.confirmTotp({ code: made.code() });
    await world.table.update(keys.factor(ada.uid), { last_step: stepAt(new Date()) - 1 });
    return made;
  };
  /** Each prepares a request, and returns it. */
  const requests = {
    byPassword: async () => () => post('/sessions/password', { email, password: goodPassword }),
    byPasskey: async () => {
      const { body } = await ours.creation(ada, { current_password });
      const authenticator = newAuthenticator(page);
      await ours.register(ada, authenticator.create(body.publicKey));
      return () => ours.signInBy(authenticator);
    },
    bySecondFactor: async () => {
      const code = (await app()).code();
      const proof = { email, password: goodPassword };
      const { mfa_token } = (await post<MfaRequired>('/sessions/password', proof)).body;
      return () => post('/sessions/mfa', { mfa_token, code });
    },
  };
  const remove = () => world.as(ours.project).users.delete({ uid: ada.uid });
  return { ours, email, ada, requests, remove };
}

const atCommit = 'TransactWriteItems';
/** A code of an app is counted before it is compared. */
const atCount = 'UpdateItem';

test.each([
  // As for somebody whom nobody knows.
  ['byPassword', atCommit, 'invalid_credentials'],
  ['byPasskey', atCommit, 'invalid_credentials'],
  ['bySecondFactor', atCount, 'mfa_token_invalid'],
  ['bySecondFactor', atCommit, 'mfa_token_invalid'],
] as const)('%s, of a user who is deleted before %s: %s', async (name, call, code) => {
  const { ada, requests, remove } = await scene();
  const request = await requests[name]();
  let removed: { status: number } | undefined;
  faults.inject(
    doneAfter(async () => {
      removed = await remove();
    }),
    {
      when: ({ operation, text }) =>
        operation === call && (call === atCommit || text.includes(`"${keys.factor(ada.uid).sk}"`)),
    },
  );
  const answer = await request();
  expect(removed?.status).toBe(200);
  expectProblem(answer, code);
});

test('a code that was mailed to a user who is deleted before the commit signs in a new user', async () => {
  const { ours, email, ada, remove } = await scene();
  const proof = await ours.code(email);
  faults.beforeWrite(remove);
  const { status, body } = await ours.post<Started>('/sessions/code', proof);
  expect([status, body.user_created]).toEqual([201, true]);
  expect(body.uid).not.toBe(ada.uid);
});
