/** Deletes all workspaces and users of a project: `npm run project:empty`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandFailure, readFlags, runCommand, type Terminal } from './flags.ts';
import { mapInOrder } from './transfer/in-order.ts';
import { untilInterrupted } from './transfer/interruption.ts';
import { countOf, pagesOf, type Resource } from './transfer/lists.ts';
import { progressOn } from './transfer/progress.ts';
import {
  openProject,
  type ProjectApi,
  placeOf,
  requireTarget,
  targetFlags,
  targetUsage,
} from './transfer/project-api.ts';
import { requireOk } from './transfer/require-ok.ts';

const usage = `Usage: npm run project:empty -- --project ID [--confirm ID] (--stack NAME | --local)
Deletes all workspaces and then all users of a project for good, and waits until what belongs to these users is deleted
too. It may be stopped and repeated; it does not wait for those that an earlier run has deleted. Before it, let nobody
in any more and delete the webhooks, which would get an event for each: docs/operate/runbook.md, "A project ends".
  --confirm ID      the id of the project again; without it, nothing is deleted
${targetUsage}`;

/** Deletions at a time. */
const width = 8;
/** Milliseconds until the lists contain what was created before. */
const untilListed = 2_000;
/** Milliseconds between two looks at a deletion, and how long all may take after the last request. */
const pause = 1_000;
const patience = 600_000;

/** A refusal names at most 100 of the 500 workspaces that a user may own. */
const maxRounds = 20;

type What = 'workspaces' | 'users';
type Run = { api: ProjectApi; terminal: Terminal; signal: AbortSignal };

export async function main(args: string[], terminal: Terminal): Promise<string> {
  const values = readFlags(args, { confirm: { type: 'string' }, ...targetFlags });
  if (!values) return usage;
  const { confirm, ...options } = values;
  const target = requireTarget(options);
  const { project } = target;
  const place = await placeOf(target);
  using interruption = untilInterrupted(terminal);
  const { signal } = interruption;
  const api = await openProject(place, 'empty', terminal);
  const run: Run = { api, terminal, signal };
  try {
    if (confirm !== project) {
      const [workspaces, users] = [await countOf(api, 'workspaces'), await countOf(api, 'users')];
      throw new CommandFailure(
        `${project} has ${workspaces ?? 'an unknown number of'} workspaces and ${users ?? 'an unknown number of'} users. Nothing was deleted: pass --confirm ${project} to delete them for good.`,
      );
    }
    const workspaces = await deleteAll('workspaces', run);
    const users = await deleteAll('users', run);
    await untilCompleted(users, run);
    return `${workspaces.length} workspaces and ${users.length} users were deleted. ${project} has none any more.`;
  } finally {
    await api.close();
  }
}

if (import.meta.main) await runCommand(main);

/** Waits so many milliseconds. Throws the reason if the run is interrupted. */
async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted());
}

/** Deletes all of a list, until nothing is left in it. Returns the ids. */
async function deleteAll(what: What, { api, terminal, signal }: Run): Promise<string[]> {
  const progress = progressOn(terminal.stderr, what);
  const total = await countOf(api, what);
  const remove = what === 'users' ? removeUser : removeWorkspace;
  const removed: string[] = [];
  try {
    for (let before = -1; before < removed.length; ) {
      if (before >= 0) await wait(untilListed, signal);
      before = removed.length;
      for await (const page of pagesOf(api, `/${what}?order=asc&limit=100`)) {
        signal.throwIfAborted();
        const ids = page.map((each) => idOf(what, each));
        const existed = await mapInOrder(ids, width, (id) => remove(api, id));
        removed.push(...ids.filter((_, i) => existed[i]));
        const share = total ? { done: removed.length, total } : undefined;
        progress.show({ done: removed.length, failed: 0, share });
      }
    }
    return removed;
  } finally {
    progress.end();
  }
}

function idOf(what: What, { uid, workspace_id }: Resource): string {
  return String(what === 'users' ? uid : workspace_id);
}

/** Returns false for one that is deleted already: a list shows it for a moment. */
async function removeWorkspace(api: ProjectApi, workspace_id: string): Promise<boolean> {
  const answer = await api.call('DELETE', `/workspaces/${workspace_id}`);
  if (answer.status === 404) return false;
  requireOk(answer, 'DELETE /workspaces/{workspace_id}');
  return true;
}

/** As `removeWorkspace`. What the user owns by now, or what no list has, is deleted first. */
async function removeUser(api: ProjectApi, uid: string): Promise<boolean> {
  for (let round = 1; ; round += 1) {
    const answer = await api.call('DELETE', `/users/${uid}`);
    if (answer.status === 404) return false;
    const { workspace_ids = [] } = Object(answer.body) as { workspace_ids?: string[] };
    if (answer.status !== 409 || workspace_ids.length === 0 || round === maxRounds) {
      requireOk(answer, 'DELETE /users/{uid}');
      return true;
    }
    await mapInOrder(workspace_ids, width, (id) => removeWorkspace(api, id));
  }
}

/** Waits until what belongs to the users is deleted, which is done in the background. */
async function untilCompleted(uids: readonly string[], { api, terminal, signal }: Run) {
  terminal.stderr.write('Waiting for what belongs to the users …\n');
  const until = Date.now() + patience;
  await mapInOrder(uids, width, async (uid) => {
    for (;;) {
      const answer = await api.call('GET', `/users/${uid}/deletion`);
      const { completed_at } = requireOk<{ completed_at?: string }>(
        answer,
        'GET /users/{uid}/deletion',
      );
      if (completed_at !== undefined) return;
      if (Date.now() > until)
        throw new CommandFailure(
          `The deletion of ${uid} has not ended: see "Stuck changes" in docs/operate/runbook.md.`,
        );
      await wait(pause, signal);
    }
  });
}
