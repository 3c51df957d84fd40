import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { expectProblem } from '../support/expectations.ts';
import { signInProject } from '../support/sign-in.ts';
import { type Person, startWorld } from '../support/world.ts';

/** Pre-hijacking: an attacker has an account with the victim's unverified e-mail, and waits for mails to the victim. */

const world = await startWorld();
const ours = await signInProject(world);
const { project } = ours;
const owner = await world.user({ project, verified: true });
let accounts = 0;
const prepared = () => {
  accounts += 1;
  return world.user({ project, email: `victim${accounts}@corp.example.com` });
};

/** Invites the victim as an admin. */
async function inviteVictim({ email }: Person) {
  const workspace = await world.workspace({ owner });
  const path = `/workspaces/${workspace.workspace_id}/invitations`;
  const { status } = await world.call('POST', path, owner.bearer, { email, role: 'admin' });
  expect(status).toBe(201);
  return { ...workspace, path };
}

/** Changes the account's e-mail to the holder's own mailbox, and verifies it. */
async function moveAway({ bearer }: Person, email: string): Promise<void> {
  await world.call('POST', '/users/me/email', bearer, { email });
  const token = await ours.mailed(email);
  const path = '/users/me/email/confirmation';
  const { status } = await world.call('POST', path, bearer, { token });
  expect(status).toBe(200);
}

const join = (workspace_id: string, { uid, bearer }: Person, more = {}) =>
  world.call('POST', '/workspaces/join', bearer, { workspace_id, user_id: uid, ...more });
const invitedTo = async ({ bearer }: Person) =>
  (await world.call('GET', '/workspaces/invited/search', bearer)).body.invited_workspaces;

test('an attacker who changes the e-mail of the prepared account cannot use or see the invitation', async () => {
  const attacker = await prepared();
  const { workspace_id, path } = await inviteVictim(attacker);
  expectProblem(await join(workspace_id, attacker), 'forbidden');

  await moveAway(attacker, 'attacker1@elsewhere.example.com');

  expectProblem(await join(workspace_id, attacker), 'forbidden');
  expect(await invitedTo(attacker)).toEqual([]);
  const declined = await world.call('DELETE', `${path}/${attacker.uid}`, attacker.bearer);
  expectProblem(declined, 'not_found');
});

test('a join link for members makes the attacker a member, not the invited admin', async () => {
  const unproven = await prepared();
  const moved = await prepared();
  for (const attacker of [unproven, moved]) {
    const { workspace_id } = await inviteVictim(attacker);
    if (attacker === moved) await moveAway(moved, 'attacker2@elsewhere.example.com');
    const links = `/workspaces/${workspace_id}/join_links`;
    const { token } = (await world.call('POST', links, owner.bearer, {})).body;
    const { status, body } = await join(workspace_id, attacker, { join_token: token });
    expect([status, body.role]).toEqual([201, 'member']);
  }
});

test('a resent invitation goes to the mailbox that was invited', async () => {
  const attacker = await prepared();
  const { workspace_id, path } = await inviteVictim(attacker);
  await moveAway(attacker, 'attacker3@elsewhere.example.com');
  await world.drainStream();

  const resent = await world.call('POST', `${path}/${attacker.uid}/resend`, owner.bearer);
  expect(resent.status).toBe(200);

  await world.drainStream();
  const mails = world.mails().filter(({ text }) => text.includes(workspace_id));
  expect(mails.map(({ to }) => to)).toEqual([attacker.email, attacker.email]);
  const { mailbox } = (await world.table.get(keys.invitation(workspace_id, attacker.uid))) ?? {};
  expect(mailbox).toBe(attacker.email);
});
