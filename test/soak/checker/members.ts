import type { Operation } from '../../../shared/contract/api.ts';
import { type Answer, type Entry, outcomeOf, uidOf } from '../history.ts';
import { known, type Registers } from './registers.ts';
import { invitationsIn, list, membersIn, placesIn, text } from './view.ts';

/** Reads memberships, invitations and join requests from a history. */
export function digestMembers(registers: Registers, entries: readonly Entry[]): void {
  for (const entry of entries) {
    if (entry.probe === 'foreign') continue;
    digestEntering(registers, entry);
    digestLeaving(registers, entry);
    digestChange(registers, entry);
    digestInvitation(registers, entry);
    digestRequest(registers, entry);
    digestReads(registers, entry);
  }
  for (const entry of entries) if (entry.probe !== 'foreign') digestFollowing(registers, entry);
  for (const kind of ['membership', 'invitation', 'request'] as const) {
    const absent = kind === 'membership' ? 'out' : 'none';
    for (const [, register] of registers.those(kind))
      register.mayWrite({ value: absent, began: -1, ended: 0, id: 0 }, 0);
  }
}

type Place = { workspace_id: string; uid: string };
const entering = new Set<string>([
  'workspaces.create',
  'members.add',
  'members.join',
  'invitations.accept',
  'joinRequests.approve',
] satisfies Operation[]);

/** The user whom a request would make a member; undefined if unknown. */
function entrantOf({ invitees }: Registers, entry: Entry): Place | undefined {
  const { name, answer, params, body } = entry;
  if (name === 'workspaces.create')
    return { workspace_id: text(answer, 'workspace_id'), uid: text(body, 'owner_id') };
  if (name === 'invitations.accept') return invitees.get(text(body, 'token'));
  if (name === 'members.join')
    return { workspace_id: text(body, 'workspace_id'), uid: text(body, 'user_id') };
  return {
    workspace_id: params?.['workspace_id'] ?? '',
    uid: params?.['user_id'] ?? text(body, 'user_id'),
  };
}

/** Whether a user has invited a user whom they may not add. */
const hasInvited = ({ name, answer }: Entry): boolean =>
  name === 'members.add' && text(answer, 'status') === 'pending';

function digestEntering(registers: Registers, entry: Entry): void {
  if (!entering.has(entry.name) || hasInvited(entry)) return;
  const outcome = outcomeOf(entry);
  const entrant = entrantOf(registers, entry);
  if (outcome === 'refused' || !entrant || entrant.workspace_id === '') return;
  const { workspace_id, uid } = entrant;
  const of = (kind: 'membership' | 'role' | 'suspended' | 'invitation' | 'request') =>
    registers.of(kind, workspace_id, uid);
  if (outcome === 'unknown') {
    const asked = entry.name === 'invitations.accept' ? '' : text(entry.body, 'role');
    for (const role of asked === '' ? ['member', 'admin'] : [asked])
      of('role').mayWrite(known(role, entry));
    of('membership').mayWrite(known('in', entry));
    of('suspended').mayWrite(known('false', entry));
    of('invitation').mayWrite(known('none', entry));
    if (entry.name === 'members.add' && entry.as.kind !== 'project')
      of('invitation').mayWrite(known('pending', entry));
    of('request').mayWrite(known('none', entry));
    return;
  }
  of('membership').wrote(known('in', entry));
  of('invitation').wrote(known('none', entry));
  of('role').wrote(
    known(entry.name === 'workspaces.create' ? 'admin' : text(entry.answer, 'role'), entry),
  );
  // A second request leaves the member unchanged.
  if (entry.status === 201) of('suspended').wrote(known('false', entry));
  // A join request created at the same moment stays, but no list shows it.
  if (entry.name === 'joinRequests.approve' && entry.status === 201)
    of('request').wrote(known('none', entry));
  else of('request').mayWrite(known('none', entry));
}

function digestLeaving(registers: Registers, entry: Entry): void {
  const { name, params = {} } = entry;
  const outcome = outcomeOf(entry);
  if (outcome === 'refused') return;
  if (name === 'members.remove') {
    const membership = registers.of(
      'membership',
      params['workspace_id'] ?? '',
      params['user_id'] ?? '',
    );
    if (outcome === 'done') membership.wrote(known('out', entry));
    else membership.mayWrite(known('out', entry));
  }
}

/** Records the delayed consequences of a deletion. */
function digestFollowing(registers: Registers, entry: Entry): void {
  const { name, params = {} } = entry;
  if (outcomeOf(entry) === 'refused') return;
  registers.mayGoWithPlace('request', 'pending', 'none', entry);
  if (name === 'users.delete')
    for (const kind of ['membership', 'invitation', 'request'] as const)
      for (const [of, register] of registers.those(kind))
        if (of.endsWith(` ${params['uid']}`))
          register.mayWrite(known(kind === 'membership' ? 'out' : 'none', entry));
}

function digestChange(registers: Registers, entry: Entry): void {
  const { name, params = {}, body = {} } = entry;
  const outcome = outcomeOf(entry);
  if (outcome === 'refused') return;
  const write = (kind: 'role' | 'suspended', value: string) => {
    const register = registers.of(kind, params['workspace_id'] ?? '', params['user_id'] ?? '');
    if (outcome === 'done') register.wrote(known(value, entry));
    else register.mayWrite(known(value, entry));
  };
  if (name === 'members.changeRole') write('role', text(body, 'role'));
  if (name === 'members.suspend') write('suspended', String(body['suspended']));
}

function digestInvitation(registers: Registers, entry: Entry): void {
  const { name, as, params = {}, body, answer } = entry;
  const outcome = outcomeOf(entry);
  const id = params['workspace_id'] ?? '';
  const of = (uid: string) => registers.of('invitation', id, uid);
  if (name === 'invitations.create' && outcome === 'done')
    for (const invitation of invitationsIn(entry))
      of(text(invitation, 'user_id')).wrote(known('pending', entry));
  if (hasInvited(entry) && outcome === 'done') {
    const invitation = of(text(answer, 'user_id'));
    if (entry.status === 201) invitation.wrote(known('pending', entry));
    else invitation.read(known('pending', entry));
  }
  if (name === 'invitations.create' && outcome === 'unknown')
    for (const { email } of [body, ...list(body, 'invitations')] as Answer[])
      for (const uid of registers.uidsOf.get(`${as.project_id} ${String(email).toLowerCase()}`) ??
        [])
        of(uid).mayWrite(known('pending', entry));
  if (name === 'invitations.end' || name === 'invitations.endByEmail') {
    const uid = params['user_id'] ?? text(answer, 'user_id');
    if (outcome === 'done') of(uid).wrote(known('none', entry));
    // By e-mail it ends the invitations of all who were invited at it.
    const others = params['user_id'] === undefined ? [...everyone(registers, entry)] : [];
    const maybe = { done: others.filter((each) => each !== uid), unknown: [...others, uid] };
    if (outcome === 'done' || outcome === 'unknown')
      for (const each of maybe[outcome]) of(each).mayWrite(known('none', entry));
  }
}

const everyone = ({ uidsOf }: Registers, { as, query }: Entry): Iterable<string> =>
  uidsOf.get(`${as.project_id} ${String(query?.['email']).toLowerCase()}`) ?? [];

function digestRequest(registers: Registers, entry: Entry): void {
  const { name, as, params = {} } = entry;
  const outcome = outcomeOf(entry);
  if (outcome === 'refused') return;
  const creates = name === 'joinRequests.create';
  if (!creates && name !== 'joinRequests.delete') return;
  const uid = params['user_id'] ?? uidOf(as);
  const request = registers.of('request', params['workspace_id'] ?? '', uid);
  const value = creates ? 'pending' : 'none';
  if (outcome === 'done') request.wrote(known(value, entry));
  else request.mayWrite(known(value, entry));
}

/** Operations for managers of a workspace. */
const managing = new Set<string>([
  'workspaces.update',
  'workspaces.setAllowedDomains',
  'members.add',
  'members.changeRole',
  'members.suspend',
  'invitations.create',
  'invitations.list',
  'invitations.resend',
  'invitations.endByEmail',
  'joinLinks.create',
  'joinLinks.list',
  'joinLinks.revoke',
  'joinRequests.list',
  'joinRequests.approve',
] satisfies Operation[]);
const reading = new Set<string>(['workspaces.get', 'members.list'] satisfies Operation[]);

function digestReads(registers: Registers, entry: Entry): void {
  const { name, as, status, params = {}, answer } = entry;
  const id = params['workspace_id'] ?? '';
  const see = (uid: string, role: string, suspended: boolean, of = id) => {
    registers.of('membership', of, uid).read(known('in', entry));
    if (role !== '') registers.of('role', of, uid).read(known(role, entry));
    registers.of('suspended', of, uid).read(known(String(suspended), entry));
  };
  if (outcomeOf(entry) === 'done') {
    // A caller who is accepted is a member, not suspended, with the required role.
    if (as.kind === 'person' && (managing.has(name) || reading.has(name)))
      see(as.uid, managing.has(name) ? 'admin' : '', false);
    for (const member of membersIn(entry))
      if (text(member, 'status') === 'accepted')
        see(
          text(member, 'user_id'),
          text(member, 'role'),
          member['suspended'] === true,
          text(member, 'workspace_id'),
        );
    // A workspace that a user left must be missing from their list, even if the index is stale.
    const ofProject = as.kind === 'project' && entry.query?.['user_id'] === undefined;
    if ((name === 'workspaces.list' && !ofProject) || name === 'workspaces.listJoined') {
      const uid = as.kind === 'project' ? String(entry.query?.['user_id']) : uidOf(as);
      for (const place of placesIn(entry))
        registers.of('membership', text(place, 'workspace_id'), uid).read(known('in', entry));
    }
    const listed = name === 'members.list' ? list(answer, 'result') : [];
    const pending = entry.query?.['status'] === 'pending';
    for (const member of listed) {
      const uid = text(member, 'uid');
      if (pending) registers.of('invitation', id, uid).read(known('pending', entry));
      else see(uid, text(member, 'role'), member['suspended'] === true);
    }
    if (name === 'invitations.list' || name === 'invitations.resend')
      for (const invitation of invitationsIn(entry))
        registers.of('invitation', id, text(invitation, 'user_id')).read(known('pending', entry));
    if (name === 'joinRequests.list')
      for (const request of list(answer, 'result'))
        registers.of('request', id, text(request, 'user_id')).read(known('pending', entry));
  }
  // If the workspace cannot have been deleted, the member is missing.
  const missing = name === 'members.get' && status === 404 && as.kind === 'project';
  if (missing && !registers.of('workspace', id).mayHaveBeen('gone', entry.ended))
    registers.of('membership', id, params['user_id'] ?? '').read(known('out', entry));
}
