import { CommandFailure } from '../flags.ts';
import { checkpointsIn } from '../transfer/checkpoint.ts';
import { untilInterrupted } from '../transfer/in-order.ts';
import { openOutput } from '../transfer/output-file.ts';
import { progressOn } from '../transfer/progress.ts';
import { openProject, type ProjectApi, type Target } from '../transfer/project-api.ts';

export type Resource = Record<string, unknown>;

export type Export = {
  what: 'users' | 'workspaces';
  /** The file that is written. */
  file: string;
  target: Target;
  /** What the run is about, for its checkpoint. */
  run: string;
  /** The lines of a page of the list. */
  toLines(api: ProjectApi, page: readonly Resource[]): Promise<readonly Resource[]>;
};

type State = { done: number; cursor?: string };

/** Writes all users or workspaces of a project, oldest first; resumes where an earlier run ended. */
export async function runExport({ what, file, target, run, toLines }: Export): Promise<string> {
  const checkpoints = checkpointsIn<State>(`${file}.checkpoint.json`, run);
  const before = await checkpoints.read();
  const state: State = before?.state ?? { done: 0 };
  if (before) process.stderr.write(`Going on after ${state.done} ${what}.\n`);
  const api = await openProject(target, before?.secret_id);
  const output = await openOutput(file, before?.written ?? 0);
  const signal = untilInterrupted();
  const progress = progressOn(process.stderr, what, { before: state.done });
  let more = true;
  try {
    const of = await countOf(api, what);
    while (more && !signal.aborted) {
      await checkpoints.write({
        state,
        written: output.bytes,
        ...(api.secretId && { secret_id: api.secretId }),
      });
      const { page, next } = await readPage(api, `/${what}?order=asc&limit=100`, state.cursor);
      await output.append(await toLines(api, page));
      state.done += page.length;
      more = next !== undefined;
      if (next !== undefined) state.cursor = next;
      progress.show({
        done: state.done,
        failed: 0,
        read: of ? { bytes: state.done, of } : undefined,
      });
    }
  } finally {
    progress.end();
    await output.close();
    await api.close();
  }
  if (more)
    throw new CommandFailure(`${state.done} ${what} written. Run the command again to go on.`);
  await checkpoints.remove();
  return `${state.done} ${what} written to ${file}.`;
}

/** A page of a list, and the cursor of the next. */
export async function readPage(
  api: ProjectApi,
  path: string,
  cursor: string | undefined,
): Promise<{ page: Resource[]; next: string | undefined }> {
  const at = cursor === undefined ? path : `${path}&cursor=${encodeURIComponent(cursor)}`;
  const { status, body, link } = await api.call('GET', at);
  if (status !== 200)
    throw new CommandFailure(
      `The service answers ${status} to GET ${path}: ${JSON.stringify(body)}`,
    );
  const [, url] = /<([^>]+)>;\s*rel="next"/.exec(link) ?? [];
  const next = url === undefined ? undefined : new URL(url).searchParams.get('cursor');
  return { page: (body as { result: Resource[] }).result, next: next ?? undefined };
}

/** How many there are, for the percentage: an estimate, because more may be created meanwhile. */
async function countOf(api: ProjectApi, what: 'users' | 'workspaces'): Promise<number | undefined> {
  const { status, body } = await api.call('GET', '/stats?days=1');
  if (status !== 200) return undefined;
  return (body as { totals?: Record<string, number> }).totals?.[what];
}
