/** Writes all users of a project to a file: `npm run users:export`. */
import { metadataOf } from './export/metadata-of.ts';
import { runExport } from './export/run-export.ts';
import { CommandFailure, readFileFlags, runCommand, type Terminal } from './flags.ts';
import { mapInOrder } from './transfer/in-order.ts';
import type { Resource } from './transfer/lists.ts';
import { hasOperator, operateTarget } from './transfer/operate-target.ts';
import {
  type ProjectApi,
  requireTarget,
  type Target,
  targetFlags,
  targetUsage,
} from './transfer/project-api.ts';

const usage = `Usage: npm run users:export -- FILE --project ID (--stack NAME | --local)
Writes all users of a project as JSON lines, oldest first, as GET /users returns them. npm run users:import reads the
file with --from jsonl, and cannot take over: accounts at identity providers, passkeys, authenticator apps, API keys,
wallets, sessions, agreed_terms and last_sign_in_at. Who had a second factor signs in by the first alone until they add
an app again; --mfa required asks for one. A run that was stopped or killed goes on where it was (FILE.checkpoint.json).
  --force           replaces FILE if it exists
  --with-metadata   adds user_metadata, app_metadata and private_metadata, by one more request for each user
  --with-password-hashes
                    adds password_hash, from the operator's function; each such user gets the event
                    user.password_exported
${targetUsage}`;

/** Users whose metadata are read at a time. */
const width = 8;

export async function main(args: string[], terminal: Terminal): Promise<string> {
  const flags = readFileFlags(args, {
    'with-metadata': { type: 'boolean' },
    'with-password-hashes': { type: 'boolean' },
    force: { type: 'boolean' },
    ...targetFlags,
  });
  if (!flags) return usage;
  const { file, values } = flags;
  const target = requireTarget(values);
  const {
    'with-password-hashes': withHashes = false,
    'with-metadata': withMetadata = false,
    force = false,
  } = values;
  if (withHashes && !hasOperator(target))
    throw new CommandFailure('Pass --with-password-hashes only together with --stack or --local.');
  return runExport({
    what: 'users',
    file,
    target,
    terminal,
    force,
    options: `${withHashes ? ' with password hashes' : ''}${withMetadata ? ' with metadata' : ''}`,
    async toLines(api, page) {
      const users = withMetadata
        ? await mapInOrder(page, width, (user) => withItsMetadata(api, user))
        : page;
      return withHashes ? withPasswordHashes(target, users) : users;
    },
  });
}

if (import.meta.main) await runCommand(main);

async function withItsMetadata(api: ProjectApi, user: Resource): Promise<Resource> {
  const path = `/users/${String(user['uid'])}/metadata`;
  return { ...user, ...(await metadataOf(api, path, '/users/{uid}/metadata')) };
}

async function withPasswordHashes(
  target: Target,
  page: readonly Resource[],
): Promise<readonly Resource[]> {
  if (page.length === 0) return page;
  const uids = page.map(({ uid }) => String(uid));
  const { hashes } = await operateTarget<{ hashes: Record<string, string> }>(target, {
    action: 'export-password-hashes',
    project_id: target.project,
    uids,
  });
  return page.map((user) => {
    const { [String(user['uid'])]: password_hash } = hashes;
    return { ...user, ...(password_hash !== undefined && { password_hash }) };
  });
}
