/** Drops the kinds of imported password hashes that no user has any more: `npm run users:drop-hash-kinds`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { functionSeconds } from '../shared/contract/route.ts';
import { users as operations } from '../shared/contract/users.ts';
import type { ShownKind } from '../shared/identity/passwords/drop-hash-kinds.ts';
import { lifetimes } from '../shared/model/limits.ts';
import { CommandFailure, readFlags, runCommand, type Terminal } from './flags.ts';
import { untilInterrupted } from './transfer/interruption.ts';
import { pagesOf } from './transfer/lists.ts';
import { hasOperator, operateTarget } from './transfer/operate-target.ts';
import { progressOn } from './transfer/progress.ts';
import {
  openProject,
  operatorTargetUsage,
  type ProjectApi,
  placeOf,
  requireTarget,
  type Target,
  targetFlags,
} from './transfer/project-api.ts';

const usage = `Usage: npm run users:drop-hash-kinds -- --project ID (--stack NAME | --local)
Counts the users whose imported password hash has not been replaced by a sign-in yet, by kind (algorithm and
parameters), and drops each kind that nobody has any more: a wrong password then costs the project no verification of it.
It waits a minute and a half before it counts, for imports under way, and reads all users. It may be stopped and repeated.
  --now             does not wait: you know that no import is under way
${operatorTargetUsage}`;

/**
 * Seconds until no running import uses the earlier kinds: the time for which an instance caches them, plus that of an
 * import, plus the time until the lists contain its users.
 */
const pause = lifetimes.projectCache + functionSeconds(operations.import) + 5;

export async function main(args: string[], terminal: Terminal): Promise<string> {
  const values = readFlags(args, {
    now: { type: 'boolean' },
    ...targetFlags,
  });
  if (!values) return usage;
  const { now = false, ...options } = values;
  const target = requireTarget(options);
  const { project: project_id } = target;
  if (!hasOperator(target))
    throw new CommandFailure('Pass --stack NAME or --local: it asks the operator function.');
  const place = await placeOf(target);
  using interruption = untilInterrupted(terminal);
  const { signal } = interruption;
  const api = await openProject(place, 'hash-kinds', terminal);
  try {
    const { kinds } = await operateTarget<{ kinds: ShownKind[] }>(target, {
      action: 'retire-hash-kinds',
      project_id,
    });
    if (kinds.length === 0) return 'The project has no kinds of imported hashes.';
    if (!now) {
      terminal.stderr.write(`Waiting ${pause} s for imports under way …\n`);
      await sleep(pause * 1_000, undefined, { signal }).catch(() => {});
    }
    const counted = await countAll(api, target, terminal, signal);
    const ids = kinds.map(({ id }) => id).filter((id) => !counted.has(id));
    const { dropped } =
      ids.length === 0
        ? { dropped: [] }
        : await operateTarget<{ dropped: string[] }>(target, {
            action: 'drop-hash-kinds',
            project_id,
            ids,
          });
    return kinds.map((kind) => sentenceOf(kind, counted, dropped)).join('\n');
  } finally {
    await api.close();
  }
}

if (import.meta.main) await runCommand(main);

function sentenceOf(
  { id, algorithm }: ShownKind,
  counted: ReadonlyMap<string, number>,
  dropped: readonly string[],
): string {
  const kind = `${algorithm} (${id})`;
  if (dropped.includes(id)) return `${kind}: nobody has such a hash; dropped.`;
  const users = counted.get(id);
  if (users === undefined) return `${kind}: kept, because it was imported again meanwhile.`;
  return `${kind}: ${users} ${users === 1 ? 'user has' : 'users have'} such a hash.`;
}

/** The number of users of each kind. */
async function countAll(
  api: ProjectApi,
  target: Target,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<Map<string, number>> {
  const counted = new Map<string, number>();
  const progress = progressOn(terminal.stderr, 'users');
  let done = 0;
  try {
    for await (const page of pagesOf(api, '/users?order=asc&limit=100')) {
      signal.throwIfAborted();
      if (page.length === 0) continue;
      const { users } = await operateTarget<{ users: Record<string, number> }>(target, {
        action: 'count-hash-kinds',
        project_id: target.project,
        uids: page.map(({ uid }) => String(uid)),
      });
      for (const [id, count] of Object.entries(users))
        counted.set(id, (counted.get(id) ?? 0) + count);
      done += page.length;
      progress.show({ done, failed: 0 });
    }
  } finally {
    progress.end();
  }
  return counted;
}
