import type { Entry, History } from '../history.ts';
import { digestPeople } from './people.ts';
import { digestPlaces } from './places.ts';
import { digestMembers } from './members.ts';
import { Register } from './register.ts';
import { digestScan } from './scanned.ts';
import { invitationsIn, text, tokenOf, usersIn } from './view.ts';

/** What a value is of. The rest of its name says of whom or what. */
export type Kind =
  | 'user'
  | 'display name'
  | 'e-mail'
  | 'disabled'
  | 'session'
  | 'workspace'
  | 'name'
  | 'description'
  | 'owner'
  | 'domain'
  | 'membership'
  | 'role'
  | 'suspended'
  | 'invitation'
  | 'request'
  | 'link';

/** Everything that has a value over time, each with what the history tells of it. */
export class Registers {
  readonly all = new Map<string, { kind: Kind; name: string; register: Register }>();
  /** Every e-mail that a user was seen with, and by whom each invitation's token was given to. */
  readonly uidsOf = new Map<string, Set<string>>();
  readonly invitees = new Map<string, { workspace_id: string; uid: string }>();
  /** Who may ever have owned a workspace. */
  readonly ownersOf = new Map<string, Set<string>>();

  of(kind: Kind, ...of: string[]): Register {
    const name = of.join(' ');
    const key = `${kind} ${name}`;
    const found = this.all.get(key);
    if (found) return found.register;
    const register = new Register();
    this.all.set(key, { kind, name, register });
    return register;
  }

  /** The registers of a kind whose name begins so. */
  *those(kind: Kind, prefix = ''): Generator<[string, Register]> {
    for (const each of this.all.values())
      if (each.kind === kind && each.name.startsWith(prefix)) yield [each.name, each.register];
  }
}

/** What an entry tells of a value. */
export const known = (value: string, { began, ended, id }: Entry) => ({ value, began, ended, id });

/** Reads a whole history. */
export function registersOf({ entries, scan }: Pick<History, 'entries' | 'scan'>): Registers {
  const registers = new Registers();
  meet(registers, entries);
  digestPeople(registers, entries, scan);
  digestPlaces(registers, entries, scan);
  digestMembers(registers, entries);
  if (scan) digestScan(registers, scan);
  return registers;
}

/** Who had which e-mail, who owned what, and whose the tokens are: what else an unknown outcome may have done. */
function meet({ uidsOf, invitees, ownersOf }: Registers, entries: readonly Entry[]): void {
  const note = (map: Map<string, Set<string>>, key: string, value: string) => {
    if (key === '' || value === '') return;
    const known = map.get(key);
    if (known) known.add(value);
    else map.set(key, new Set([value]));
  };
  for (const entry of entries) {
    const { name, params = {}, body, as, answer } = entry;
    const met = (email: string, uid: string) =>
      note(uidsOf, `${as.project_id} ${email.toLowerCase()}`, uid);
    for (const user of usersIn(entry)) met(text(user, 'email'), text(user, 'uid'));
    if (name === 'users.create') met(text(answer, 'email'), text(answer, 'uid'));
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
    if (name === 'ownership.accept' && as.kind !== 'project') note(ownersOf, workspace_id, as.uid);
  }
}
