/** Imports the users of another service from a file: `npm run users:import`. */
import { CommandFailure, parseFlags, runCommand } from './flags.ts';
import type { FormatOptions, UserRow } from './import/format.ts';
import { formats } from './import/formats.ts';
import { readAuth0Passwords } from './import/from-auth0.ts';
import { readFirebaseParameters } from './import/from-firebase.ts';
import { type RecordResult, runImport } from './import/run-import.ts';
import {
  type ProjectApi,
  requireTarget,
  targetFlags,
  targetUsage,
} from './transfer/project-api.ts';
import { limits } from '../shared/model/limits.ts';

const names = Object.keys(formats);
const usage = `Usage: npm run users:import -- FILE --from FORMAT --project ID (--stack NAME | --local)
Creates the users of an export, with their password hashes where the format has any. Users who exist, by external id or
e-mail, are not changed. Errors go to FILE.errors.jsonl, with line numbers. A run that was stopped or killed goes on
where it was when you start it again (FILE.checkpoint.json).
  --from FORMAT     ${names.join(', ')}
  --dry-run         creates nothing; writes the errors
  --providers LIST  identity providers of the project whose accounts are imported too: google,apple
  --passwords FILE  with auth0: the password hashes, as its support sends them
  --firebase-hash-config FILE
                    with firebase: the password hash parameters, as the console shows them
${targetUsage}
Exit code 1: some users were refused.`;

/** Bytes of a request, with room for what is around the users. */
const bytes = limits.importBody - 1_024;

await runCommand(async () => {
  const { values, positionals } = parseFlags({
    options: {
      from: { type: 'string' },
      'dry-run': { type: 'boolean' },
      providers: { type: 'string' },
      passwords: { type: 'string' },
      'firebase-hash-config': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
      ...targetFlags,
    },
    allowPositionals: true,
  } as const);
  if (values.help) return usage;
  const { from = '', 'dry-run': dryRun = false, providers, passwords } = values;
  const { 'firebase-hash-config': hashConfig } = values;
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new CommandFailure('Pass one FILE.');
  const format = Object.hasOwn(formats, from) ? formats[from] : undefined;
  if (!format) throw new CommandFailure(`Pass --from with one of ${names.join(', ')}.`);
  if (passwords !== undefined && from !== 'auth0')
    throw new CommandFailure('Pass --passwords only together with --from auth0.');
  if (hashConfig !== undefined && from !== 'firebase')
    throw new CommandFailure('Pass --firebase-hash-config only together with --from firebase.');
  const target = requireTarget(values);
  const options: FormatOptions = {
    providers: new Set((providers ?? '').split(',').filter(Boolean)),
    ...(passwords !== undefined && { passwords: await readAuth0Passwords(passwords) }),
    ...(hashConfig !== undefined && { firebase: await readFirebaseParameters(hashConfig) }),
  };
  return runImport<UserRow>({
    what: 'users',
    file,
    target,
    dryRun,
    run: `users of ${target.project} from ${from}`,
    records: () => format.read(file),
    prepare: (value) => format.toUser(value, options),
    batch: { rows: limits.importedUsers, bytes, width: 4 },
    send: (api, users) => send(api, users, dryRun),
  });
});

type Row = {
  outcome: string;
  errors?: { pointer: string; detail: string }[];
};

async function send(
  api: ProjectApi,
  users: readonly UserRow[],
  dry_run: boolean,
): Promise<RecordResult[]> {
  const { status, body } = await api.call('POST', '/users/import', {
    body: { users, ...(dry_run && { dry_run }) },
  });
  // A body that is too large is not a fault of one row: halve it.
  if (status === 413 && users.length > 1) {
    const half = Math.ceil(users.length / 2);
    const [first, second] = [users.slice(0, half), users.slice(half)];
    return [...(await send(api, first, dry_run)), ...(await send(api, second, dry_run))];
  }
  if (status !== 200)
    throw new CommandFailure(`The service refuses the import: ${status} ${JSON.stringify(body)}`);
  const { results } = body as { results: Row[] };
  const left = users.filter((_, i) => results[i]?.outcome === 'unprocessed');
  const later = left.length > 0 ? (await send(api, left, dry_run)).values() : undefined;
  return users.map((user, i) => {
    const { outcome, errors } = results[i] ?? { outcome: 'unprocessed' };
    if (outcome === 'unprocessed') return later?.next().value as RecordResult;
    return {
      outcome,
      errors: errors?.map(
        ({ pointer, detail }) => `${pointer.split('/').slice(4).join('/')}: ${detail}`,
      ),
      about: { email: user['email'], external_id: user['external_id'] },
    };
  });
}
