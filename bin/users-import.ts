/** Imports the users of another service from a file: `npm run users:import`. */
import { createHash } from 'node:crypto';
import { limits } from '../shared/model/limits.ts';
import { CommandFailure, readFileFlags, runCommand, type Terminal } from './flags.ts';
import { type FormatOptions, objectsIn, requireObject, type UserRow } from './import/format.ts';
import { formats } from './import/formats.ts';
import { readAuth0Passwords } from './import/from-auth0.ts';
import { readFirebaseParameters } from './import/from-firebase.ts';
import { providersIn, requireProviders } from './import/require-providers.ts';
import { runImport } from './import/run-import.ts';
import { sendUsers } from './import/send-users.ts';
import { nameOfFile } from './transfer/checkpoint.ts';
import { requireTarget, targetFlags, targetUsage } from './transfer/project-api.ts';

const names = Object.keys(formats);
const usage = `Usage: npm run users:import -- FILE --from FORMAT --project ID (--stack NAME | --local)
Creates the users of an export, with their password hashes where the format has any. Users who exist, by external id or
e-mail, are not changed. Errors go to FILE.errors.jsonl, with line numbers. A run that was stopped or killed goes on
where it was when you start it again (FILE.checkpoint.json).
  --from FORMAT     ${names.join(', ')}
  --dry-run         creates nothing; writes the errors, to FILE.dry-run-errors.jsonl
  --providers LIST  identity providers of the project whose accounts are imported too: google,apple; nothing is
                    imported where the project lacks one
  --passwords FILE  with auth0: the password hashes, as its support sends them
  --firebase-hash-config FILE
                    with firebase: the password hash parameters, as the console shows them
${targetUsage}
Exit code 1: some users were refused.`;

/** Maximum bytes of the users in a request, with room for the rest of its body. */
const bytes = limits.importBody - 1_024;

export async function main(args: string[], terminal: Terminal): Promise<string> {
  const flags = readFileFlags(args, {
    from: { type: 'string' },
    'dry-run': { type: 'boolean' },
    providers: { type: 'string' },
    passwords: { type: 'string' },
    'firebase-hash-config': { type: 'string' },
    ...targetFlags,
  });
  if (!flags) return usage;
  const { file, values } = flags;
  const { from = '', 'dry-run': dryRun = false, providers, passwords } = values;
  const { 'firebase-hash-config': hashConfig } = values;
  const format = Object.hasOwn(formats, from) ? formats[from] : undefined;
  if (!format) throw new CommandFailure(`Pass --from with one of ${names.join(', ')}.`);
  if (passwords !== undefined && from !== 'auth0')
    throw new CommandFailure('Pass --passwords only together with --from auth0.');
  if (hashConfig !== undefined && from !== 'firebase')
    throw new CommandFailure('Pass --firebase-hash-config only together with --from firebase.');
  const target = requireTarget(values);
  const options: FormatOptions = {
    providers: providersIn(providers),
    ...(passwords !== undefined && { passwords: await readAuth0Passwords(passwords) }),
    ...(hashConfig !== undefined && { firebase: await readFirebaseParameters(hashConfig) }),
  };
  let matched = 0;
  const unseen = new Set(options.providers);
  const summary = await runImport<UserRow>({
    what: 'users',
    file,
    target,
    terminal,
    dryRun,
    options: ` from ${from}${await digestOf(options, passwords)}`,
    requireReady: (api) => requireProviders(api, options.providers),
    records: () => format.read(file),
    prepare(value, _line, remark) {
      const leaveOut = (provider: string) => remark({ leftOut: provider });
      const user = format.toUser(requireObject(value), { ...options, leaveOut });
      if (user['password_hash'] !== undefined) matched += 1;
      const identities = objectsIn(user['identities']);
      for (const { provider } of identities) unseen.delete(String(provider));
      if ((user['email'] ?? '') === '' && identities.length === 0) remark('no sign-in');
      return user;
    },
    nameOf: format.nameOf,
    batch: { rows: limits.importedUsers, bytes, width: 4 },
    send: (api, users) => sendUsers(api, users, dryRun),
  });
  return [
    summary,
    ...(options.passwords
      ? [
          `${options.passwords.size} password hashes in ${passwords}: ${matched} of them belong to users of this run.`,
        ]
      : []),
    ...(unseen.size > 0
      ? [`No user of this run has an account at ${[...unseen].join(', ')}.`]
      : []),
  ].join('\n');
}

if (import.meta.main) await runCommand(main);

/** A digest that distinguishes the flags of a run without revealing their text: Firebase's parameters are secret. */
async function digestOf(
  { providers, firebase }: FormatOptions,
  passwords: string | undefined,
): Promise<string> {
  if (providers.size === 0 && !firebase && passwords === undefined) return '';
  const file = passwords === undefined ? undefined : (await nameOfFile(passwords)).name;
  const all = JSON.stringify([[...providers].toSorted(), firebase, file]);
  return `, flags ${createHash('sha256').update(all).digest('base64url').slice(0, 12)}`;
}
