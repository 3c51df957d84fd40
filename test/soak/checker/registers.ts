import { type Entry, outcomeOf } from '../history.ts';
import { Register } from './register.ts';

/** The kind of a value. The rest of its name identifies the user, workspace and so on. */
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

/** All values over time, with their observations in the history. */
export class Registers {
  readonly all = new Map<string, { kind: Kind; name: string; register: Register }>();
  /** The users seen with each e-mail, and the users to whom each invitation token was given. */
  readonly uidsOf = new Map<string, Set<string>>();
  readonly invitees = new Map<string, { workspace_id: string; uid: string }>();
  /** All possible owners of each workspace. */
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

  /** The workspaces that a request may have deleted: the named one, or those deleted with their owner. */
  deletedBy({ name, params = {} }: Entry): string[] {
    if (name === 'workspaces.delete') return [params['workspace_id'] ?? ''];
    if (name !== 'users.delete') return [];
    const uid = params['uid'] ?? '';
    return [...this.ownersOf].flatMap(([id, owners]) => (owners.has(uid) ? [id] : []));
  }

  /**
   * The contents of a workspace are deleted some time after it, even those being created when the deletion was
   * acknowledged.
   */
  mayGoWithPlace(kind: Kind, from: string, to: string, entry: Entry): void {
    for (const workspace_id of this.deletedBy(entry))
      for (const [, register] of this.those(kind, workspace_id))
        if (register.mayHaveBeen(from, endOf(entry))) register.mayWrite(known(to, entry));
  }

  /** The registers of a kind whose name has this prefix. */
  *those(kind: Kind, prefix = ''): Generator<[string, Register]> {
    for (const each of this.all.values())
      if (each.kind === kind && each.name.startsWith(prefix)) yield [each.name, each.register];
  }
}

/** The latest time at which a request may have been executed. */
const endOf = (entry: Entry): number => (outcomeOf(entry) === 'unknown' ? Infinity : entry.ended);

/** The observation of a value by an entry. */
export const known = (value: string, { began, ended, id }: Entry) => ({ value, began, ended, id });
