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
  meet(registers, entries, scan);
  digestPeople(registers, entries, scan);
  digestPlaces(registers, entries, scan);
  digestMembers(registers, entries);
  if (scan) digestScan(registers, scan);
  return registers;
}

/** Who had which e-mail, who owned what, and whose the tokens are: what else an unknown outcome may have done. */
function meet(
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
  // Somebody whom an unknown invitation made shows here alone.
  for (const { sk, project_id, mailbox, user_id, workspace_id, owner_id } of scan?.items ?? []) {
    if (sk.startsWith('INVITE#'))
      note(uidsOf, `${String(project_id)} ${String(mailbox)}`, String(user_id));
    if (sk === 'WS') note(ownersOf, String(workspace_id), String(owner_id));
  }
  for (const entry of entries) {
    const { name, params = {}, body, as, answer } = entry;
    const met = (email: string, uid: string) =>
      note(uidsOf, `${as.project_id} ${email.toLowerCase()}`, uid);
    if (name === 'members.list')
      for (const user of list(answer, 'result')) met(text(user, 'email'), text(user, 'uid'));
    for (const user of usersIn(entry)) met(text(user, 'email'), text(user, 'uid'));
    if (name === 'users.create') met(text(answer, 'email'), text(answer, 'uid'));
    // Nobody may ever see that it was done, but an invitation by this e-mail is then one of that user.
    if (name === 'users.update') met(text(body, 'email'), params['uid'] ?? '');
    for (const invitation of invitationsIn(entry)) {
      met(text(invitation, 'email'), text(invitation, 'user_id'));
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
