import { expect, test } from 'vitest';
import { byMember } from '#shared/db/index-attributes.ts';
import { keys } from '#shared/db/keys.ts';
import { listInvitationsOfUser } from '#shared/workspaces/members/user-workspaces.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';

const faults = await openFaultyTable();

test('a page of invitations reads a hundred at a time, until it is full', async () => {
  const items = Array.from({ length: 150 }, (_, i) => {
    const workspace_id = `wid-${String(i).padStart(3, '0')}`;
    const attributes = { project_id: 'p', workspace_id, uid: 'ada' };
    return [
      { ...keys.workspace(workspace_id), ...attributes },
      {
        ...keys.invitation(workspace_id, 'ada'),
        ...byMember('pending', 'ada', workspace_id),
        ...attributes,
        invitation_expires_at: '2099-01-01T00:00:00.000Z',
      },
    ];
  });
  await faults.seed(items.flat());
  const readsOf = async (limit: number) => {
    faults.reset();
    const { invited } = await request(
      () => listInvitationsOfUser('p', 'ada', { limit }, new Date()),
      20_000,
    );
    const reads = faults.operations().filter((operation) => operation === 'BatchGetItem');
    return [invited.length, reads.length];
  };
  // Each read is of a hundred items: the workspaces, and the invitations to them.
  expect(await readsOf(20)).toEqual([20, 2]);
  expect(await readsOf(120)).toEqual([120, 3]);
});
