import { CommandFailure } from '../flags.ts';
import type { ProjectApi } from '../transfer/project-api.ts';
import { nameOfRow, type UserRow } from './format.ts';
import type { RecordResult } from './run-import.ts';

type FieldError = { pointer: string; detail: string };
type Row = { outcome: string; errors?: FieldError[] };

/** Sends users. A request that is rejected as a whole is halved until the rejected user is found. */
export async function sendUsers(
  api: ProjectApi,
  users: readonly UserRow[],
  dry_run: boolean,
): Promise<RecordResult[]> {
  const { status, body } = await api.call('POST', '/users/import', {
    body: { users, ...(dry_run && { dry_run }) },
  });
  const isRefused = status === 400 || status === 413;
  if (isRefused && users.length > 1) {
    const half = Math.ceil(users.length / 2);
    const [first, second] = [users.slice(0, half), users.slice(half)];
    return [...(await sendUsers(api, first, dry_run)), ...(await sendUsers(api, second, dry_run))];
  }
  if (isRefused)
    return users.map((user) => ({ ...refusalOf(body, status), about: nameOfRow(user) }));
  if (status !== 200)
    throw new CommandFailure(`The service refuses the import: ${status} ${JSON.stringify(body)}`);
  const { results } = body as { results: Row[] };
  const left = users.filter((_, i) => results[i]?.outcome === 'unprocessed');
  const later = left.length > 0 ? (await sendUsers(api, left, dry_run)).values() : undefined;
  return users.map((user, i) => {
    const { outcome, errors } = results[i] ?? { outcome: 'unprocessed' };
    if (outcome === 'unprocessed') return later?.next().value as RecordResult;
    return {
      outcome,
      errors: errors?.map(sentenceOf),
      about: nameOfRow(user),
    };
  });
}

/** An error of a row, with the field: its pointer goes through `/body/users/0`. */
const sentenceOf = ({ pointer, detail }: FieldError): string =>
  `${pointer.split('/').slice(4).join('/')}: ${detail}`;

/** Why a request with one user was rejected, from its problem document. */
function refusalOf(body: unknown, status: number): RecordResult {
  const { errors = [], detail } = (body ?? {}) as { errors?: FieldError[]; detail?: string };
  const all = errors.map(sentenceOf);
  return {
    outcome: 'failed',
    errors: all.length > 0 ? all : [`The service refuses the user: ${detail ?? status}`],
  };
}
