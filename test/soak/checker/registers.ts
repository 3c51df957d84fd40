import { type Entry, outcomeOf } from '../history.ts';
import { Register } from './register.ts';

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

  /** The workspaces that a request may have deleted: the one that it names, or those that go with their owner. */
  deletedBy({ name, params = {} }: Entry): string[] {
    if (name === 'workspaces.delete') return [params['workspace_id'] ?? ''];
    if (name !== 'users.delete') return [];
    const uid = params['uid'] ?? '';
    return [...this.ownersOf].flatMap(([id, owners]) => (owners.has(uid) ? [id] : []));
  }

  /** What lies in a workspace goes some time after it: that too which was being made when its delete was answered. */
  mayGoWithPlace(kind: Kind, from: string, to: string, entry: Entry): void {
    for (const workspace_id of this.deletedBy(entry))
      for (const [, register] of this.those(kind, workspace_id))
        if (register.mayHaveBeen(from, endOf(entry))) register.mayWrite(known(to, entry));
  }

  /** The registers of a kind whose name begins so. */
  *those(kind: Kind, prefix = ''): Generator<[string, Register]> {
    for (const each of this.all.values())
      if (each.kind === kind && each.name.startsWith(prefix)) yield [each.name, each.register];
  }
}

/** When at the latest what was asked took effect. */
const endOf = (entry: Entry): number => (outcomeOf(entry) === 'unknown' ? Infinity : entry.ended);

/** What an entry tells of a value. */
export const known = (value: string, { began, ended, id }: Entry) => ({ value, began, ended, id });
