import { CommandFailure, type Terminal } from '../flags.ts';
import { checkpointsIn } from '../transfer/checkpoint.ts';
import { untilInterrupted } from '../transfer/interruption.ts';
import { countOf, type Resource, readPage } from '../transfer/lists.ts';
import { type OutputFile, openOutput } from '../transfer/output-file.ts';
import { progressOn } from '../transfer/progress.ts';
import { openProject, type ProjectApi, placeOf, type Target } from '../transfer/project-api.ts';

export type Export = {
  what: 'users' | 'workspaces';
  /** The output file. */
  file: string;
  target: Target;
  terminal: Terminal;
  /** Whether an existing file is replaced. */
  force: boolean;
  /** The additional output that the flags request, for the checkpoint; empty for none. */
  options: string;
  /** The lines of one page of the list; fewer if items were deleted meanwhile. */
  toLines(api: ProjectApi, page: readonly Resource[]): Promise<readonly Resource[]>;
};

type State = { done: number; cursor?: string };

/** Writes all users or workspaces of a project, oldest first; resumes where an earlier run ended. */
export async function runExport({
  what,
  file,
  target,
  terminal,
  force,
  options,
  toLines,
}: Export): Promise<string> {
  const place = await placeOf(target);
  const run = `${what} of ${place.name}${options}`;
  const checkpoints = checkpointsIn<State>(`${file}.checkpoint.json`, run);
  const before = await checkpoints.read();
  const state: State = before?.state ?? { done: 0 };
  if (before) terminal.stderr.write(`Going on after ${state.done} ${what}.\n`);
  using interruption = untilInterrupted(terminal);
  const { signal } = interruption;
  const api = await openProject(place, 'export', terminal, before?.secret_id);
  let more: boolean;
  try {
    const output = await openOutput(file, { written: before?.written, replace: force });
    const keep = () =>
      checkpoints.write({ state, written: output.bytes, secret_id: api.secretId() });
    try {
      more = await writeAll({ api, what, terminal, state, output, toLines, keep, signal });
    } finally {
      await output.close();
    }
  } finally {
    await api.close();
  }
  if (more)
    throw new CommandFailure(`${state.done} ${what} written. Run the command again to go on.`);
  await checkpoints.remove();
  return `${state.done} ${what} written to ${file}.`;
}

/** Writes page by page. Resolves with true if pages are left because the run was interrupted. */
async function writeAll({
  api,
  what,
  terminal,
  state,
  output,
  toLines,
  keep,
  signal,
}: Pick<Export, 'what' | 'terminal' | 'toLines'> & {
  api: ProjectApi;
  state: State;
  output: OutputFile;
  keep: () => Promise<void>;
  signal: AbortSignal;
}): Promise<boolean> {
  const progress = progressOn(terminal.stderr, what, { before: state.done });
  try {
    const total = await countOf(api, what);
    for (let more = true; more; ) {
      await keep();
      if (signal.aborted) return true;
      const { page, next } = await readPage(api, `/${what}?order=asc&limit=100`, state.cursor);
      const lines = await toLines(api, page);
      await output.append(lines);
      state.done += lines.length;
      more = next !== undefined;
      if (next !== undefined) state.cursor = next;
      const share = total ? { done: state.done, total } : undefined;
      progress.show({ done: state.done, failed: 0, share });
    }
    return false;
  } finally {
    progress.end();
  }
}
