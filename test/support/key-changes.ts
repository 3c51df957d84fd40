import { keys } from '../../shared/db/keys.ts';
import type { Action } from '../../shared/model/policy.ts';
import type { World } from './world.ts';

/** The changes that an API key can make in a workspace, with the permission that each needs. */
export const changesByKeys = {
  renames: 'workspace:update',
  'adds a member': 'member:add',
  'changes a role': 'member:change-role',
  suspends: 'member:suspend',
  removes: 'member:remove',
  invites: 'invitation:create',
  'invites several': 'invitation:create',
  'sends again': 'invitation:resend',
  'ends an invitation': 'invitation:revoke',
  'ends it by e-mail': 'invitation:revoke',
  approves: 'join-request:approve',
  refuses: 'join-request:refuse',
  'revokes a link': 'join-link:revoke',
} as const satisfies Record<string, Action>;
export type ChangeByKey = keyof typeof changesByKeys;
export const changeNames = Object.keys(changesByKeys) as ChangeByKey[];

let count = 0;

/** A workspace with items to change, and the requests that change them, with the given credential. */
export async function changeScene(world: World) {
  count += 1;
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const { domains, invitations, joinLinks } = world.as(world.project);
  const domain = `asked${count}.example`;
  await domains.set({ workspace_id, domain, mode: 'suggest' });
  await world.table.update(keys.workspace(workspace_id), {
    proven_domains: { [domain]: new Date().toISOString() },
  });
  const ofDomain = (name: string) =>
    world.user({ email: `${name}${count}@${domain}`, verified: true });
  const [asker, newcomer, guest] = [await ofDomain('a'), await ofDomain('n'), await world.user()];
  await world.as(asker).joinRequests.create({ workspace_id });
  await invitations.create({ workspace_id, email: guest.email, role: 'member' });
  const { link_id } = (await joinLinks.create({ workspace_id })).body;
  const [member, admin] = [await world.member(workspace), await world.member(workspace, 'admin')];
  const number = count;

  const requests = (bearer: string, role = 'member') => {
    const by = world.as(bearer);
    const the = (person: { uid: string }) => ({ workspace_id, user_id: person.uid });
    const email = `new${number}@x.example`;
    const changed = role === 'member' ? admin : member;
    const rows = [1, 2].map((row) => ({ email: `row${row}.${number}@x.example`, role }));
    return {
      renames: () => by.workspaces.update({ workspace_id, name: 'Taken' }),
      'adds a member': () => by.members.add({ ...the(newcomer), role }),
      'changes a role': () => by.members.changeRole({ ...the(changed), role }),
      suspends: () => by.members.suspend({ ...the(member), suspended: true }),
      removes: () => by.members.remove(the(member)),
      invites: () => by.invitations.create({ workspace_id, email, role }),
      'invites several': () => by.invitations.create({ workspace_id, invitations: rows }),
      'sends again': () => by.invitations.resend(the(guest)),
      'ends an invitation': () => by.invitations.end(the(guest)),
      'ends it by e-mail': () => by.invitations.endByEmail({ workspace_id, email: guest.email }),
      approves: () => by.joinRequests.approve({ ...the(asker), role }),
      refuses: () => by.joinRequests.delete(the(asker)),
      'revokes a link': () => by.joinLinks.revoke({ workspace_id, link_id }),
    } satisfies Record<ChangeByKey, unknown>;
  };
  return { workspace, member, guest, asker, requests };
}
