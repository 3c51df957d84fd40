import { type Entry, type History, type Scan, uidOf } from '../history.ts';
import { digestMembers } from './members.ts';
import { digestPeople } from './people.ts';
import { digestPlaces } from './places.ts';
import { Registers } from './registers.ts';
import { digestScan } from './scanned.ts';
import { invitationsIn, list, text, tokenOf, usersIn } from './view.ts';

/** Reads a whole history. */
export function registersOf({ entries, scan }: Pick<History, 'entries' | 'scan'>): Registers {
  const registers = new Registers();
  recordHolders(registers, entries, scan);
  digestPeople(registers, entries, scan);
  digestPlaces(registers, entries, scan);
  digestMembers(registers, entries);
  if (scan) digestScan(registers, scan);
  return registers;
}

/**
 * Records e-mails of users, owners of workspaces and holders of tokens, from which the possible results of unknown
 * outcomes follow.
 */
function recordHolders(
  { uidsOf, invitees, ownersOf }: Registers,
  entries: readonly Entry[],
  scan: Scan | undefined,
): void {
  const note = (map: Map<string, Set<string>>, key: string, value: string) => {
    if (key === '' || value === '') return;
    const noted = map.get(key);
    if (noted) noted.add(value);
    else map.set(key, new Set([value]));
  };
  // A user created by an invitation with unknown outcome is only in the table.
  for (const { sk, project_id, mailbox, user_id, workspace_id, owner_id } of scan?.items ?? []) {
    if (sk.startsWith('INVITE#'))
      note(uidsOf, `${String(project_id)} ${String(mailbox)}`, String(user_id));
    if (sk === 'WS') note(ownersOf, String(workspace_id), String(owner_id));
  }
  for (const entry of entries) {
    const { name, params = {}, body, as, answer } = entry;
    const recordEmail = (email: string, uid: string) =>
      note(uidsOf, `${as.project_id} ${email.toLowerCase()}`, uid);
    if (name === 'members.list')
      for (const user of list(answer, 'result'))
        recordEmail(text(user, 'email'), text(user, 'uid'));
    for (const user of usersIn(entry)) recordEmail(text(user, 'email'), text(user, 'uid'));
    if (name === 'users.create') recordEmail(text(answer, 'email'), text(answer, 'uid'));
    // No response may ever show the change, but invitations to this e-mail then belong to that user.
    if (name === 'users.update') recordEmail(text(body, 'email'), params['uid'] ?? '');
    for (const invitation of invitationsIn(entry)) {
      recordEmail(text(invitation, 'email'), text(invitation, 'user_id'));
      const token = tokenOf(invitation);
      const workspace_id = text(invitation, 'workspace_id');
      if (token !== undefined)
        invitees.set(token, { workspace_id, uid: text(invitation, 'user_id') });
    }
    const workspace_id = params['workspace_id'] ?? text(answer, 'workspace_id');
    note(ownersOf, workspace_id, text(answer, 'owner_id'));
    if (name === 'ownership.offer') note(ownersOf, workspace_id, text(body, 'user_id'));
    if (name === 'ownership.accept') note(ownersOf, workspace_id, uidOf(as));
  }
}
