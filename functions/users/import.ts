import { InvalidRow, type RowResult } from '#shared/contract/user-import.ts';
import { users } from '#shared/contract/users.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { toFieldErrors } from '#shared/http/input.ts';
import { importUsers, type Row } from '#shared/identity/users/import-users.ts';

/** Errors of one row, and characters of their pointers: with 100 rows, the response must fit into its record. */
const maxErrors = 10;
const maxPointer = 100;

export const handler = endpoint(users.import, async ({ body, caller, now, requireAnswerRoom }) => {
  const { dry_run = false } = body;
  const rows = body.users.map((row): Row => {
    if (!(row instanceof InvalidRow)) return { user: row };
    return { errors: row.issues.flatMap((issue) => toFieldErrors('body', issue)) };
  });
  // Users are created one by one, so the response must be known to fit before the first.
  await requireAnswerRoom?.(toResponse(rows.map(maxResult), dry_run));
  return toResponse(await importUsers(caller.project, rows, { dry_run, now }), dry_run);
});

/** The largest result that a row may have. */
const maxResult = (row: Row): RowResult => ({
  outcome: 'unprocessed',
  errors:
    'errors' in row
      ? row.errors
      : Array.from({ length: maxErrors }, () => ({
          pointer: 'x'.repeat(maxPointer),
          detail: 'x'.repeat(maxPointer),
        })),
});

function toResponse(found: readonly RowResult[], dry_run: boolean) {
  const results = found.map(({ errors, ...result }, i) => ({
    ...result,
    ...(errors && { errors: errors.slice(0, maxErrors).map((each) => placed(each, i)) }),
  }));
  const count = (outcome: RowResult['outcome']) =>
    results.filter((each) => each.outcome === outcome).length;
  return {
    dry_run,
    created: count('created'),
    exists: count('exists'),
    failed: count('failed'),
    unprocessed: count('unprocessed'),
    results,
  };
}

/** The error of a row, with its place in the request. */
function placed({ pointer, detail }: { pointer: string; detail: string }, i: number) {
  const within = pointer.replace(/^\/body/, '').slice(0, maxPointer);
  return { pointer: `/body/users/${i}${within}`, detail };
}
