import { expect, test } from 'vitest';
import { doneAfter } from '../faults/fault.ts';
import { expectProblem } from '../support/expectations.ts';
import { startFaultyWorld } from '../support/faulty-world.ts';

/**
 * Invitations, links and requests that a deletion ended must admit nobody, even if the workspace is restored before the
 * admission commits.
 */

const { faults, world } = await startFaultyWorld();
const { as, project } = world;

async function place() {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const domain = `${workspace_id}.example`;
  await as(project).domains.set({ workspace_id, domain, mode: 'suggest' });
  const asker = await world.user({ email: `asker@${domain}`, verified: true });
  await as(asker).joinRequests.create({ workspace_id });
  const { body: link } = await as(owner).joinLinks.create({ workspace_id });
  return { workspace_id, owner, asker, link };
}

/** Deletes and restores the workspace just before the next transaction. */
function endMeanwhile(workspace_id: string): void {
  faults.inject(
    doneAfter(async () => {
      const { workspaces } = as(project);
      expect((await workspaces.delete({ workspace_id })).status).toBe(200);
      expect((await workspaces.restore({ workspace_id })).status).toBe(200);
    }),
    { when: ({ operation }) => operation === 'TransactWriteItems' },
  );
}

test('a join link', async () => {
  const { workspace_id, link } = await place();
  const { uid: user_id, bearer } = await world.user();
  endMeanwhile(workspace_id);
  const join = { workspace_id, user_id, join_token: link.token };
  expectProblem(await as(bearer).members.join(join), 'join_link_invalid');
});

test('a request to join, approved', async () => {
  const { workspace_id, owner, asker } = await place();
  endMeanwhile(workspace_id);
  const approve = { workspace_id, user_id: asker.uid };
  expectProblem(await as(owner).joinRequests.approve(approve), 'not_found');
});

test('a request to join, by which a member adds at once', async () => {
  const { workspace_id, owner, asker } = await place();
  endMeanwhile(workspace_id);
  const add = { workspace_id, user_id: asker.uid, role: 'member' };
  const { status, body } = await as(owner).members.add(add);
  expect([status, body.status]).toEqual([201, 'pending']);
});
