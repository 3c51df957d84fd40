import { ApiError } from '../../client/api-error.ts';
import type { Client } from '../../client/client.ts';
import type { UserImportResult, UsersImportRequest } from '../../client/generated/api.ts';

/** Imports a file of users, one as JSON on each line, in the form of `POST /users/import`. */

export type Refused = { line: number; about: string; why: string };
export type Progress = {
  /** Bytes of the file, and how many of them are done. */
  size: number;
  done: number;
  created: number;
  exists: number;
  failed: number;
  /** The first ones. */
  refused: Refused[];
};

type Row = { line: number; text: string; user: UsersImportRequest['users'][number] };

/** What a request has at most. The service takes 100 users; the bytes leave room in what it reads. */
const [maxRows, maxBytes] = [100, 200_000];
/** How many refused lines are shown. */
const maxRefused = 200;

type Options = {
  dryRun: boolean;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
};

/** Resolves when the whole file is done. It may be started again: who is there already is not changed. */
export async function importUsers(
  { users }: Client,
  file: File,
  { dryRun, signal, onProgress }: Options,
): Promise<void> {
  const progress: Progress = {
    size: file.size,
    done: 0,
    created: 0,
    exists: 0,
    failed: 0,
    refused: [],
  };
  const refuse = (line: number, about: string, why: string) => {
    progress.failed += 1;
    if (progress.refused.length < maxRefused) progress.refused.push({ line, about, why });
  };
  /** Sends the halves of a request that is refused as a whole, until it is known for which line. */
  const refuseOne = async (rows: Row[], why: ApiError): Promise<void> => {
    const [row] = rows;
    if (row && rows.length === 1) return refuse(row.line, aboutOf(row), whyOf(why) || why.message);
    const half = Math.ceil(rows.length / 2);
    await send(rows.slice(0, half));
    await send(rows.slice(half));
  };
  const send = async (rows: Row[]): Promise<void> => {
    if (rows.length === 0) return;
    const request = { users: rows.map(({ user }) => user), ...(dryRun && { dry_run: true }) };
    const answer = await users.import(request, { signal }).catch(async (error: unknown) => {
      if (!(error instanceof ApiError) || ![400, 413].includes(error.status)) throw error;
      await refuseOne(rows, error);
    });
    if (!answer) return;
    const { body } = answer;
    progress.created += body.created;
    progress.exists += body.exists;
    const remaining: Row[] = [];
    for (const [i, row] of rows.entries()) {
      const result = body.results[i];
      if (!result || result.outcome === 'unprocessed') remaining.push(row);
      if (result?.outcome === 'failed') refuse(row.line, aboutOf(row), whyOf(result) || 'refused');
    }
    // A service that reaches nobody would never end it.
    if (remaining.length === rows.length)
      throw new Error('The service has reached none of 100 users.');
    await send(remaining);
  };

  let rows: Row[] = [];
  let bytes = 0;
  let bytesRead = 0;
  const flush = async () => {
    await send(rows);
    [rows, bytes] = [[], 0];
    progress.done = bytesRead;
    onProgress({ ...progress });
  };
  let line = 0;
  for await (const text of linesOf(file)) {
    line += 1;
    const size = new TextEncoder().encode(text).length;
    if (rows.length === maxRows || (rows.length > 0 && bytes + size > maxBytes)) await flush();
    bytesRead += size + 1;
    if (text.trim() === '') continue;
    const user = parse(text);
    if (!user) {
      refuse(line, text.slice(0, 60), 'This line is no JSON object.');
      continue;
    }
    rows.push({ line, text, user });
    bytes += size;
  }
  bytesRead = file.size;
  await flush();
}

type Result = UserImportResult['results'][number];

const whyOf = ({ errors = [] }: Pick<Result, 'errors'>): string =>
  errors
    .map(({ pointer, detail }) => `${pointer.split('/').slice(4).join('/')}: ${detail}`)
    .join(' ');

/** What names the user: texts alone, as the file may have anything else there. */
const aboutOf = ({ user: { email, external_id } }: Row): string =>
  [email, external_id].find((each: unknown) => typeof each === 'string') ?? '';

function parse(text: string): Row['user'] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The lines of a file, of which only a piece is in memory. */
async function* linesOf(file: File): AsyncGenerator<string> {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
