/** Writes all users of a project to a file: `npm run users:export`. */
import { CommandFailure, parseFlags, runCommand } from './flags.ts';
import { type Resource, runExport } from './export/run-export.ts';
import { requireTarget, type Target, targetFlags, targetUsage } from './transfer/project-api.ts';

const usage = `Usage: npm run users:export -- FILE --project ID (--stack NAME | --local)
Writes all users of a project as JSON lines, oldest first, as GET /users returns them. npm run users:import reads the
file with --from jsonl. A run that was stopped or killed goes on where it was (FILE.checkpoint.json).
  --with-password-hashes
                    adds password_hash, from the operator's function; each such user gets the event
                    user.password_exported
${targetUsage}`;

await runCommand(async () => {
  const { values, positionals } = parseFlags({
    options: {
      'with-password-hashes': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
      ...targetFlags,
    },
    allowPositionals: true,
  } as const);
  if (values.help) return usage;
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new CommandFailure('Pass one FILE.');
  const target = requireTarget(values);
  const { 'with-password-hashes': withHashes = false } = values;
  if (withHashes && target.stack === undefined && !target.local)
    throw new CommandFailure('Pass --with-password-hashes only together with --stack or --local.');
  return runExport({
    what: 'users',
    file,
    target,
    run: `users of ${target.project}${withHashes ? ' with password hashes' : ''}`,
    toLines: async (_, page) => (withHashes ? withPasswordHashes(target, page) : page),
  });
});

async function withPasswordHashes(
  target: Target,
  page: readonly Resource[],
): Promise<readonly Resource[]> {
  if (page.length === 0) return page;
  const { project: project_id, stack, data = '.data' } = target;
  const uids = page.map(({ uid }) => String(uid));
  const request = { action: 'export-password-hashes', project_id, uids } as const;
  const answer =
    stack === undefined
      ? await (await import('../local/operator.ts')).operateLocally(request, data)
      : await (await import('./project-stack.ts')).operateStack(request, stack);
  const { hashes } = answer as { hashes: Record<string, string> };
  return page.map((user) => {
    const { [String(user['uid'])]: password_hash } = hashes;
    return { ...user, ...(password_hash !== undefined && { password_hash }) };
  });
}
