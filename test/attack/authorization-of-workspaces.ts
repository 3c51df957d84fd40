import type { Case, Guarded, Ids, Outcome } from './authorization.ts';
import { ofNobody, type ofPeople, ofUser } from './authorization-of-people.ts';
import { domains } from './authorization-scene.ts';

/** The rules of each operation on workspaces and their contents, and the permission it needs. */
export const ofWorkspaces = {
  'workspaces.create': [
    {
      // In this project only the backend may do it; another test covers projects in which users may.
      rule: (caller, reach) =>
        !/project/.test(caller)
          ? 'forbidden'
          : caller === 'project' && reach === 'own'
            ? 'allow'
            : 'not_found',
      request: ({ uid }) => ({ body: { name: 'New', owner_id: uid } }),
    },
  ],
  'workspaces.list': [
    { rule: 'user', request: ofUser },
    { what: 'of oneself, or of the project', rule: 'self', request: ofNobody },
  ],
  'workspaces.get': [{ rule: 'workspace:read' }],
  'workspaces.update': [
    { rule: 'workspace:update', request: () => ({ body: { name: 'Changed' } }) },
  ],
  'workspaces.getMetadata': [{ rule: 'workspace:read-metadata' }],
  'workspaces.setMetadata': [
    { rule: 'project', request: () => ({ body: { app_metadata: { plan: 'team' } } }) },
  ],
  'workspaces.mergeMetadata': [
    { rule: 'project', request: () => ({ body: { app_metadata: { plan: 'team' } } }) },
  ],
  'members.setMetadata': [{ rule: 'project' }],
  'members.mergeMetadata': [{ rule: 'project' }],
  'workspaces.delete': [{ rule: 'workspace:delete' }],
  'workspaces.restore': [{ rule: 'workspace:restore', also: { deleted: ['project', 'owner'] } }],
  'workspaces.setAllowedDomains': [
    { rule: 'workspace:set-domains', request: () => ({ body: { allowed_domains: [] } }) },
    {
      what: 'one of others',
      rule: 'workspace:set-domains',
      request: () => ({ body: { allowed_domains: ['others.example'] } }),
      but: { owner: 'forbidden', admin: 'forbidden', heir: 'forbidden' },
    },
  ],
  'workspaces.listJoined': [{ rule: 'self' }],
  'workspaces.listInvited': [{ rule: 'self' }],
  'workspaceKeys.create': [{ rule: 'api-key:manage' }],
  'workspaceKeys.list': [{ rule: 'api-key:manage' }],
  'workspaceKeys.update': [{ rule: 'api-key:manage' }],
  'workspaceKeys.revoke': [{ rule: 'api-key:manage' }],
  'workspaceKeys.rotate': [{ rule: 'api-key:manage' }],
  'domains.list': [{ rule: 'domain:list' }],
  'domains.set': [
    {
      rule: 'workspace:set-domains',
      request: () => ({ params: { domain: domains.suggested }, body: { mode: 'off' } }),
    },
    {
      what: 'one of others',
      rule: 'workspace:set-domains',
      request: () => ({ params: { domain: 'others.example' }, body: { mode: 'suggest' } }),
      but: { owner: 'forbidden', admin: 'forbidden', heir: 'forbidden' },
    },
  ],
  'domains.prove': [
    { rule: 'domain:prove', request: () => ({ params: { domain: domains.proven } }) },
  ],
  'members.join': [
    {
      rule: joining,
      request: ({ workspace_id }, self) => ({ body: { workspace_id, user_id: self } }),
    },
    {
      what: 'somebody else',
      rule: (caller, reach) => {
        if (!/project/.test(caller)) return 'forbidden';
        return caller === 'project' && reach === 'own' ? 'allow' : 'not_found';
      },
      request: ({ workspace_id, newcomer }) => ({ body: { workspace_id, user_id: newcomer } }),
    },
    {
      what: 'by a link',
      rule: joiningByLink,
      request: ({ workspace_id, join_token }, self) => ({
        body: { workspace_id, user_id: self, join_token },
      }),
    },
  ],
  'members.add': [
    {
      rule: 'member:add',
      request: ({ newcomer }) => ({ body: { user_id: newcomer, role: 'admin' } }),
    },
  ],
  'members.list': [
    {
      what: 'accepted',
      rule: 'member:list-accepted',
      request: () => ({ query: { status: 'accepted' } }),
    },
    {
      what: 'pending',
      rule: 'member:list-pending',
      request: () => ({ query: { status: 'pending' } }),
    },
  ],
  'members.get': [{ rule: 'member:read' }],
  'members.remove': [
    { rule: 'member:remove' },
    { what: 'the owner', rule: 'member:remove', request: theOwner, but: 'owner_must_stay' },
    { what: 'oneself', rule: 'member:leave', request: oneself, but: { owner: 'owner_must_stay' } },
  ],
  'members.suspend': [
    { rule: 'member:suspend', request: () => ({ body: { suspended: true } }) },
    {
      what: 'the owner',
      rule: 'member:suspend',
      request: (at) => ({ ...theOwner(at), body: { suspended: true } }),
      but: 'owner_must_stay',
    },
  ],
  'members.changeRole': [
    { rule: 'member:change-role', request: () => ({ body: { role: 'admin' } }) },
    {
      what: 'of the owner',
      rule: 'member:change-role',
      request: (at) => ({ ...theOwner(at), body: { role: 'member' } }),
      but: 'owner_role_fixed',
    },
  ],
  'invitations.create': [
    {
      rule: 'invitation:create',
      request: () => ({ body: { email: 'new@new.example', role: 'admin' } }),
    },
    {
      what: 'many',
      rule: 'invitation:create',
      request: () => ({ body: { invitations: [{ email: 'new@new.example', role: 'admin' }] } }),
    },
    {
      what: 'many, to try',
      rule: 'invitation:create',
      request: () => ({
        body: { invitations: [{ email: 'new@new.example', role: 'admin' }], dry_run: true },
      }),
    },
  ],
  'invitations.list': [{ rule: 'invitation:list' }],
  'invitations.resend': [{ rule: 'invitation:resend', request: theGuest }],
  'invitations.end': [
    { rule: 'invitation:revoke', request: theGuest },
    {
      what: "one's own",
      rule: 'invitation:decline',
      request: oneself,
      but: { project: 'not_found' },
    },
  ],
  'invitations.endByEmail': [
    { rule: 'invitation:revoke', request: ({ email }) => ({ query: { email } }) },
  ],
  'invitations.accept': [
    {
      rule: (caller, reach) =>
        reach === 'own' && (caller === 'project' || caller === 'invited')
          ? 'allow'
          : 'mail_token_invalid',
      request: ({ invitation_token }) => ({ body: { token: invitation_token } }),
    },
  ],
  'joinLinks.create': [
    { rule: 'join-link:create', request: () => ({ body: {} }) },
    {
      what: 'that makes admins',
      rule: 'join-link:create',
      request: () => ({ body: { role: 'admin' } }),
      but: { admin: 'forbidden', heir: 'forbidden' },
    },
  ],
  'joinLinks.list': [{ rule: 'join-link:list' }],
  'joinLinks.revoke': [{ rule: 'join-link:revoke' }],
  'joinRequests.create': [{ rule: asking, request: () => ({ body: {} }) }],
  'joinRequests.list': [{ rule: 'join-request:list' }],
  'joinRequests.approve': [
    { rule: 'join-request:approve', request: (at) => ({ ...theAsker(at), body: {} }) },
  ],
  'joinRequests.delete': [
    { rule: 'join-request:refuse', request: theAsker, also: { own: ['asker'] } },
    {
      what: "one's own",
      rule: (caller, reach) => (caller === 'asker' && reach === 'own' ? 'allow' : 'not_found'),
      request: oneself,
    },
  ],
  'ownership.offer': [
    { rule: 'ownership:offer', request: ({ admin }) => ({ body: { user_id: admin } }) },
  ],
  'ownership.accept': [{ rule: 'ownership:accept', but: { admin: 'forbidden' } }],
  'ownership.end': [{ rule: 'ownership:end', but: { admin: 'forbidden' } }],
  'events.list': [{ rule: 'project' }],
  'stats.get': [{ rule: 'project' }],
  'events.listOfWorkspace': [{ rule: 'event:list', also: { deleted: ['project'] } }],
} as const satisfies Record<Exclude<Guarded, keyof typeof ofPeople>, readonly Case[]>;

function oneself(_: Ids, self: string) {
  return { params: { user_id: self } };
}

function theOwner({ owner }: Ids) {
  return { params: { user_id: owner } };
}

function theGuest({ guest }: Ids) {
  return { params: { user_id: guest } };
}

function theAsker({ asker }: Ids) {
  return { params: { user_id: asker } };
}

const within = ['owner', 'admin', 'heir', 'member'];

/** For a user who cannot join it, a workspace must look as if it did not exist. */
function joining(caller: string, reach: string): Outcome {
  if (/project/.test(caller))
    return caller === 'project' && reach === 'own' ? 'allow' : 'not_found';
  if (reach !== 'own' || caller === 'foreigner') return 'forbidden';
  if (caller === 'suspended') return 'membership_suspended';
  if (caller === 'asker') return 'approval_required';
  return [...within, 'invited'].includes(caller) ? 'allow' : 'forbidden';
}

/** Members may pass any link for their own workspace, but its link admits to no other workspace. */
function joiningByLink(caller: string, reach: string): Outcome {
  const isOwn = !['foreign', 'missing', 'deleted'].includes(reach);
  if (caller === 'other project' || (caller === 'project' && !isOwn)) return 'not_found';
  if (isOwn && within.includes(caller)) return 'allow';
  if (isOwn && caller === 'suspended') return 'membership_suspended';
  return reach === 'own' && caller !== 'foreigner' ? 'allow' : 'join_link_invalid';
}

function asking(caller: string, reach: string): Outcome {
  if (reach !== 'own') return 'forbidden';
  if (within.includes(caller)) return 'already_member';
  if (caller === 'suspended') return 'membership_suspended';
  if (caller === 'invited') return 'invitation_exists';
  return caller === 'asker' ? 'allow' : 'forbidden';
}
