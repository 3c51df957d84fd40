import type { FileRecord } from './read-lines.ts';
import { CommandFailure } from '../flags.ts';
import { checkpointsIn, nameOfFile } from '../transfer/checkpoint.ts';
import { inOrder, untilInterrupted } from '../transfer/in-order.ts';
import { openOutput, type OutputFile } from '../transfer/output-file.ts';
import { progressOn } from '../transfer/progress.ts';
import { openProject, type ProjectApi, type Target } from '../transfer/project-api.ts';

/** The result of a record: what happened, or why it was refused; `about` names it in the file of errors. */
export type RecordResult = {
  outcome: string;
  errors?: readonly string[] | undefined;
  about?: Record<string, unknown> | undefined;
};

/** A record, and what it became; `errors` if it became nothing. */
export type Prepared<T> = FileRecord & ({ row: T } | { errors: readonly string[] });

export type Import<T> = {
  /** `users` or `workspaces`. */
  what: string;
  file: string;
  target: Target;
  dryRun: boolean;
  /** What the run is about, for its checkpoint. */
  run: string;
  records: () => AsyncIterable<FileRecord>;
  /** Throws an error whose message is for the file of errors. */
  prepare(value: unknown, line: number): T;
  /** How many rows and bytes are sent at a time, and how many such batches. */
  batch: { rows: number; bytes: number; width: number };
  send(api: ProjectApi, rows: readonly T[]): Promise<readonly RecordResult[]>;
};

type State = { done: number; failed: number; outcomes: Record<string, number> };

/** Imports the records of a file; resumes where an earlier run of the same file ended. Returns what to say at the end. */
export async function runImport<T>(given: Import<T>): Promise<string> {
  const { what, file, target, dryRun } = given;
  const { name, bytes: of } = await nameOfFile(file);
  const checkpoints = checkpointsIn<State>(`${file}.checkpoint.json`, `${given.run}, ${name}`);
  const before = dryRun ? undefined : await checkpoints.read();
  const state: State = before?.state ?? { done: 0, failed: 0, outcomes: {} };
  if (before) process.stderr.write(`Going on after ${state.done} ${what}.\n`);
  const errorFile = `${file}.errors.jsonl`;
  const api = await openProject(target, before?.secret_id);
  const errors = await openOutput(errorFile, before?.written ?? 0);
  const signal = untilInterrupted();
  const progress = progressOn(process.stderr, what, { before: state.done });
  const keep = () =>
    checkpoints.write({
      state,
      written: errors.bytes,
      ...(api.secretId && { secret_id: api.secretId }),
    });
  try {
    if (!dryRun) await keep();
    await inOrder(batchesOf(given, state.done), {
      width: given.batch.width,
      signal,
      work: async (batch) => {
        const rows = batch.flatMap((each) => ('row' in each ? [each.row] : []));
        return rows.length > 0 ? given.send(api, rows) : [];
      },
      settle: async (batch, results) => {
        await note(batch, results, state, errors);
        if (!dryRun) await keep();
        const read = { bytes: batch.at(-1)?.bytes ?? 0, of };
        progress.show({ done: state.done, failed: state.failed, read });
      },
    });
  } finally {
    progress.end();
    await errors.close();
    await api.close();
  }
  const told = summaryOf(given, state, errorFile);
  if (signal.aborted) throw new CommandFailure(`${told} Stopped; run the command again to go on.`);
  await checkpoints.remove();
  if (state.failed > 0) process.exitCode = 1;
  return told;
}

/** The records after the first `skipped`, in batches that one request may have. */
async function* batchesOf<T>(
  { records, prepare, batch: { rows, bytes } }: Import<T>,
  skipped: number,
): AsyncGenerator<Prepared<T>[]> {
  let batch: Prepared<T>[] = [];
  let size = 0;
  let passed = 0;
  for await (const record of records()) {
    passed += 1;
    if (passed <= skipped) continue;
    const next = prepared(record, prepare);
    const more = 'row' in next ? Buffer.byteLength(JSON.stringify(next.row)) + 1 : 0;
    if (batch.length >= rows || (size + more > bytes && batch.length > 0)) {
      yield batch;
      [batch, size] = [[], 0];
    }
    batch.push(next);
    size += more;
  }
  if (batch.length > 0) yield batch;
}

function prepared<T>(record: FileRecord, prepare: Import<T>['prepare']): Prepared<T> {
  if ('problem' in record) return { ...record, errors: [record.problem] };
  try {
    return { ...record, row: prepare(record.value, record.line) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { ...record, errors: [error.message] };
  }
}

async function note<T>(
  batch: readonly Prepared<T>[],
  results: readonly RecordResult[],
  state: State,
  errors: OutputFile,
): Promise<void> {
  const left = results.values();
  const lines: object[] = [];
  for (const each of batch) {
    const result: RecordResult =
      'errors' in each
        ? { outcome: 'failed', errors: each.errors }
        : (left.next().value as RecordResult);
    state.done += 1;
    state.outcomes[result.outcome] = (state.outcomes[result.outcome] ?? 0) + 1;
    if (!result.errors) continue;
    state.failed += 1;
    lines.push({ line: each.line, ...result.about, errors: result.errors });
  }
  await errors.append(lines);
}

function summaryOf<T>({ what, dryRun }: Import<T>, state: State, errorFile: string): string {
  const outcomes = Object.entries(state.outcomes).map(
    ([name, count]) => `${count} ${wordsOf(name, dryRun)}`,
  );
  const counted = outcomes.length > 0 ? outcomes.join(', ') : 'none';
  const where = state.failed > 0 ? ` See ${errorFile}.` : '';
  return `${state.done} ${what}: ${counted}.${where}`;
}

const wordsOf = (outcome: string, dryRun: boolean): string =>
  outcome === 'exists' ? 'existed' : dryRun && outcome === 'created' ? 'would be created' : outcome;
