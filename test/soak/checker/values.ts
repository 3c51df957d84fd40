import type { History, Violation } from '../history.ts';
import type { Stale } from './register.ts';
import type { Kind, Registers } from './registers.ts';

/** The rule that an unexplained read of each kind violates. */
const rules: Record<
  Kind,
  { overwritten: string; unwritten?: string; values?: Record<string, string> }
> = {
  user: {
    overwritten: 'no acknowledged write lost',
    values: { live: 'nothing visible after an acknowledged delete' },
  },
  'display name': { overwritten: 'read your writes' },
  'e-mail': { overwritten: 'read your writes' },
  disabled: { overwritten: 'read your writes' },
  session: {
    overwritten: 'no valid client refused',
    unwritten: 'no valid client refused',
    values: { live: 'no session after an acknowledged sign-out' },
  },
  workspace: {
    overwritten: 'no acknowledged write lost',
    values: { live: 'nothing visible after an acknowledged delete' },
  },
  name: { overwritten: 'read your writes' },
  description: { overwritten: 'read your writes' },
  owner: { overwritten: 'read your writes' },
  domain: { overwritten: 'read your writes' },
  membership: {
    overwritten: 'no acknowledged write lost',
    values: { in: 'nothing visible after an acknowledged delete' },
  },
  role: { overwritten: 'read your writes' },
  suspended: { overwritten: 'read your writes' },
  invitation: {
    overwritten: 'no acknowledged write lost',
    values: { pending: 'nothing visible after an acknowledged delete' },
  },
  request: {
    overwritten: 'no acknowledged write lost',
    values: { pending: 'nothing visible after an acknowledged delete' },
  },
  link: {
    overwritten: 'no acknowledged write lost',
    values: { live: 'nothing visible after an acknowledged delete' },
  },
};

/**
 * Every value that was read or is in the table at the end must have a possible write that no acknowledged write had
 * replaced: no acknowledged write is lost, no rejected one is visible, clients read their own writes, deleted items are
 * gone, and a session is valid exactly until it ends.
 */
export function valuesAreWritten(history: History, registers: Registers): Violation[] {
  const { scan } = history;
  const found: Violation[] = [];
  for (const { kind, name, register } of registers.all.values())
    for (const { read, against } of register.stale()) {
      const atTheEnd = read.began === scan?.at;
      const rule = ruleOf(kind, read.value, against, atTheEnd);
      const what =
        `The ${kind} of ${name} ${atTheEnd ? 'is in the end' : 'was'} ${JSON.stringify(read.value)}` +
        (against
          ? `, after it was ${JSON.stringify(against.value)} for good`
          : ', which nobody may have written');
      found.push({ rule, what, entries: [against?.id ?? 0, read.id].filter((id) => id > 0) });
    }
  return found;
}

function ruleOf(kind: Kind, value: string, against: Stale['against'], atTheEnd: boolean): string {
  const { overwritten, unwritten = 'no refused write visible', values } = rules[kind];
  if (!against) return unwritten;
  const special = values?.[value];
  if (special !== undefined) return special;
  return atTheEnd ? 'no acknowledged write lost' : overwritten;
}
