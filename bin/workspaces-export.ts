/** Writes all workspaces of a project with their members to a file: `npm run workspaces:export`. */
import { CommandFailure, parseFlags, runCommand } from './flags.ts';
import { readPage, type Resource, runExport } from './export/run-export.ts';
import {
  type ProjectApi,
  requireTarget,
  targetFlags,
  targetUsage,
} from './transfer/project-api.ts';

const usage = `Usage: npm run workspaces:export -- FILE --project ID (--stack NAME | --local)
Writes all workspaces of a project as JSON lines, oldest first, each with its owner and its accepted members. npm run
workspaces:import reads the file. A run that was stopped or killed goes on where it was (FILE.checkpoint.json).
${targetUsage}`;

await runCommand(async () => {
  const { values, positionals } = parseFlags({
    options: { help: { type: 'boolean', short: 'h' }, ...targetFlags },
    allowPositionals: true,
  } as const);
  if (values.help) return usage;
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new CommandFailure('Pass one FILE.');
  const target = requireTarget(values);
  return runExport({
    what: 'workspaces',
    file,
    target,
    run: `workspaces of ${target.project}`,
    toLines: (api, page) => Promise.all(page.map((workspace) => toLine(api, workspace))),
  });
});

/** A workspace as `npm run workspaces:import` reads it. */
async function toLine(api: ProjectApi, workspace: Resource): Promise<Resource> {
  const { workspace_id, external_id, name, logo_url, description, allowed_domains, owner_id } =
    workspace;
  const members = await membersOf(api, String(workspace_id));
  const owner = members.find(({ uid }) => uid === owner_id) ?? { uid: owner_id };
  return {
    workspace_id,
    name,
    ...(external_id !== undefined && { external_id }),
    ...(logo_url !== undefined && logo_url !== '' && { logo_url }),
    ...(description !== undefined && { description }),
    owner: named(owner),
    members: members
      .filter(({ uid }) => uid !== owner_id)
      .map((member) => ({ ...named(member), role: member['role'] })),
    allowed_domains,
  };
}

/** What names a user in another project too; the uid where nothing else does, as `users:import` does. */
const named = ({ uid, external_id, email }: Resource): Resource => {
  const hasEmail = typeof email === 'string' && email !== '';
  const id = external_id ?? (hasEmail ? undefined : uid);
  return { ...(id !== undefined && { external_id: id }), ...(hasEmail && { email }) };
};

async function membersOf(api: ProjectApi, workspace_id: string): Promise<Resource[]> {
  const members: Resource[] = [];
  let cursor: string | undefined;
  do {
    const path = `/workspaces/${workspace_id}/users?status=accepted&limit=100`;
    const { page, next } = await readPage(api, path, cursor);
    members.push(...page);
    cursor = next;
  } while (cursor !== undefined);
  return members;
}
