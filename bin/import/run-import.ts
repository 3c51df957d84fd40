import { rm } from 'node:fs/promises';
import { isObject } from '../../shared/model/json-object.ts';
import { CommandFailure, type Terminal } from '../flags.ts';
import { checkpointsIn, nameOfFile } from '../transfer/checkpoint.ts';
import { inOrder } from '../transfer/in-order.ts';
import { untilInterrupted } from '../transfer/interruption.ts';
import { type OutputFile, openOutput } from '../transfer/output-file.ts';
import { progressOn } from '../transfer/progress.ts';
import { openProject, type ProjectApi, placeOf, type Target } from '../transfer/project-api.ts';
import type { FileRecord } from './read-lines.ts';
import {
  isOfEarlierVersion,
  noRemarks,
  type Remark,
  type Remarks,
  sentencesOf,
  withRemark,
} from './remarks.ts';

/** The result of a record: the outcome, or why it was rejected; `about` identifies it in the file of errors. */
export type RecordResult = {
  outcome: string;
  errors?: readonly string[] | undefined;
  about?: Record<string, unknown> | undefined;
};

/** A record converted for sending; `errors` and its identifiers if it cannot be sent. */
export type Prepared<T> = FileRecord &
  (
    | { row: T; remarks: readonly Remark[] }
    | (Pick<RecordResult, 'about'> & { errors: readonly string[] })
  );

export type Import<T> = {
  /** `users` or `workspaces`. */
  what: string;
  file: string;
  target: Target;
  terminal: Terminal;
  dryRun: boolean;
  /** The effect of its flags, for the checkpoint; empty for none. */
  options: string;
  /** Throws a `CommandFailure` if the project is not ready for the import, before anything is sent. */
  requireReady?(api: ProjectApi): Promise<void>;
  records: () => AsyncIterable<FileRecord>;
  /** Throws an error whose message is for the file of errors. Calls of `remark` are counted and printed at the end. */
  prepare(value: unknown, line: number, remark: (remark: Remark) => void): T;
  /** Identifies a record that cannot be sent, for the file of errors. */
  nameOf(value: Record<string, unknown>): Record<string, unknown>;
  /** Maximum rows and bytes of a batch, and how many batches are sent at a time. */
  batch: { rows: number; bytes: number; width: number };
  send(api: ProjectApi, rows: readonly T[]): Promise<readonly RecordResult[]>;
};

type State = {
  done: number;
  failed: number;
  outcomes: Record<string, number>;
  /** Absent before the first. */
  remarks?: Remarks;
};

/** Imports the records of a file; resumes where an earlier run of the same file ended. Returns the final output. */
export async function runImport<T>(job: Import<T>): Promise<string> {
  const { what, file, target, terminal, dryRun } = job;
  const { name, bytes: total } = await nameOfFile(file);
  const place = await placeOf(target);
  // A checkpoint counts records, so the way in which the file is split into records identifies the run too.
  const run = `${what} of ${place.name}${job.options}, ${name}, by line feeds`;
  const checkpoints = checkpointsIn<State>(`${file}.checkpoint.json`, run, createdNobody);
  const before = dryRun ? undefined : await checkpoints.read();
  if (isOfEarlierVersion(before?.state.remarks ?? noRemarks))
    throw new CommandFailure(
      `${checkpoints.file} is of an earlier version of this command. Delete it and run the command again, which starts from the beginning; users who exist are not changed.`,
    );
  const state: State = before?.state ?? { done: 0, failed: 0, outcomes: {} };
  if (before) terminal.stderr.write(`Going on after ${state.done} ${what}.\n`);
  // A dry run writes to another file, so that it does not overwrite the errors of an interrupted run.
  const errorFile = `${file}.${dryRun ? 'dry-run-errors' : 'errors'}.jsonl`;
  using interruption = untilInterrupted(terminal);
  const { signal } = interruption;
  const api = await openProject(place, 'import', terminal, before?.secret_id);
  try {
    await job.requireReady?.(api);
    const errors = await openOutput(errorFile, { written: before?.written, replace: true });
    const keep = async () => {
      if (dryRun) return;
      await checkpoints.write({ state, written: errors.bytes, secret_id: api.secretId() });
    };
    try {
      await sendAll(job, { api, state, errors, keep, signal, total });
    } finally {
      await errors.close();
    }
  } finally {
    await api.close();
  }
  const summary = summaryOf(job, state, errorFile);
  if (signal.aborted)
    throw new CommandFailure(`${summary} Stopped; run the command again to go on.`);
  if (!dryRun) await checkpoints.remove();
  if (state.failed > 0) terminal.exitCode = 1;
  else await rm(errorFile, { force: true });
  return [summary, ...sentencesOf(state.remarks ?? noRemarks)].join('\n');
}

/**
 * Whether every record so far was rejected or existed before. Then the flags or the file may be corrected. The checkpoint
 * of an export of the same name has no outcomes.
 */
const createdNobody = ({ done, outcomes = {} }: Partial<State>): boolean =>
  done === (outcomes['failed'] ?? 0) + (outcomes['exists'] ?? 0);

async function sendAll<T>(
  job: Import<T>,
  run: {
    api: ProjectApi;
    state: State;
    errors: OutputFile;
    keep: () => Promise<void>;
    signal: AbortSignal;
    /** Bytes of the file. */
    total: number;
  },
): Promise<void> {
  const { api, state, errors, keep, signal, total } = run;
  const progress = progressOn(job.terminal.stderr, job.what, { before: state.done });
  try {
    await keep();
    await inOrder(batchesOf(job, state.done), {
      width: job.batch.width,
      signal,
      work: async (batch) => {
        const rows = batch.flatMap((each) => ('row' in each ? [each.row] : []));
        return rows.length > 0 ? job.send(api, rows) : [];
      },
      settle: async (batch, results) => {
        await note(batch, results, state, errors);
        await keep();
        const share = { done: batch.at(-1)?.bytes ?? 0, total };
        progress.show({ done: state.done, failed: state.failed, share });
      },
    });
  } finally {
    progress.end();
  }
}

/** The records after the first `skipped`, in batches that fit into one request. */
async function* batchesOf<T>(
  { records, batch: { rows, bytes }, ...job }: Import<T>,
  skipped: number,
): AsyncGenerator<Prepared<T>[]> {
  let batch: Prepared<T>[] = [];
  let size = 0;
  let passed = 0;
  for await (const record of records()) {
    passed += 1;
    if (passed <= skipped) continue;
    const next = prepared(record, job);
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

function prepared<T>(
  record: FileRecord,
  { prepare, nameOf }: Pick<Import<T>, 'prepare' | 'nameOf'>,
): Prepared<T> {
  if ('problem' in record) return { ...record, errors: [record.problem] };
  try {
    const remarks: Remark[] = [];
    const row = prepare(record.value, record.line, (remark) => remarks.push(remark));
    return { ...record, row, remarks };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const about = isObject(record.value) ? nameOf(record.value) : undefined;
    return { ...record, about, errors: [error.message] };
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
        ? { outcome: 'failed', errors: each.errors, about: each.about }
        : (left.next().value as RecordResult);
    state.done += 1;
    state.outcomes[result.outcome] = (state.outcomes[result.outcome] ?? 0) + 1;
    if ('remarks' in each && result.outcome !== 'failed')
      for (const remark of each.remarks)
        state.remarks = withRemark(state.remarks ?? noRemarks, remark, each.line);
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
