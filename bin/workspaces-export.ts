/** Writes all workspaces of a project with their members to a file: `npm run workspaces:export`. */
import { metadataOf } from './export/metadata-of.ts';
import { runExport } from './export/run-export.ts';
import { readFileFlags, runCommand, type Terminal } from './flags.ts';
import { readOwnRoles } from './roles/read-definitions.ts';
import { mapInOrder } from './transfer/in-order.ts';
import { pagesOf, type Resource, readPage, usersOf } from './transfer/lists.ts';
import {
  type ProjectApi,
  requireTarget,
  targetFlags,
  targetUsage,
} from './transfer/project-api.ts';

const usage = `Usage: npm run workspaces:export -- FILE --project ID (--stack NAME | --local)
Writes all workspaces of a project as JSON lines, oldest first, each with its owner, its accepted members, the roles of
its own and its domains. npm run workspaces:import reads the file. A run that was stopped or killed goes on where it was (FILE.checkpoint.json).
  --force           replaces FILE if it exists
  --with-metadata   adds app_metadata and private_metadata, by one more request for each workspace
${targetUsage}`;

/** Workspaces whose members are read at a time. */
const width = 8;

export async function main(args: string[], terminal: Terminal): Promise<string> {
  const flags = readFileFlags(args, {
    'with-metadata': { type: 'boolean' },
    force: { type: 'boolean' },
    ...targetFlags,
  });
  if (!flags) return usage;
  const { file, values } = flags;
  const target = requireTarget(values);
  const { 'with-metadata': withMetadata = false, force = false } = values;
  return runExport({
    what: 'workspaces',
    file,
    target,
    terminal,
    force,
    options: withMetadata ? ' with metadata' : '',
    async toLines(api, page) {
      const lines = await mapInOrder(page, width, (workspace) =>
        unlessDeleted(api, workspace, async (path) => ({
          ...(await toLine(api, workspace)),
          ...(withMetadata && (await metadataOf(api, `${path}/metadata`))),
        })),
      );
      return lines.flat();
    },
  });
}

if (import.meta.main) await runCommand(main);

/** The result of `read`; empty if the workspace was deleted since the page of the list was read. */
async function unlessDeleted(
  api: ProjectApi,
  { workspace_id }: Resource,
  read: (path: string) => Promise<Resource>,
): Promise<Resource[]> {
  const path = `/workspaces/${String(workspace_id)}`;
  try {
    return [await read(path)];
  } catch (error) {
    // The 404 of `read` may also come from a service without this route, whose workspaces must not be omitted.
    const { status } = await api.call('GET', path);
    if (status === 404) return [];
    throw error;
  }
}

/** A workspace in the format of `npm run workspaces:import`. */
async function toLine(api: ProjectApi, workspace: Resource): Promise<Resource> {
  const { workspace_id, external_id, name, logo_url, description, owner_id } = workspace;
  const { require_mfa, mfa_required_at } = workspace;
  const members = await membersOf(api, String(workspace_id));
  const roles = await readOwnRoles(api, String(workspace_id));
  const domains = await domainsOf(api, workspace);
  const names = await namesOf(api, [{ uid: owner_id }, ...members]);
  return {
    workspace_id,
    name,
    ...(external_id !== undefined && { external_id }),
    ...(logo_url !== undefined && logo_url !== '' && { logo_url }),
    ...(description !== undefined && { description }),
    ...(require_mfa === true && { require_mfa, ...graceOf(String(mfa_required_at)) }),
    owner: names.get(owner_id),
    ...(roles.length > 0 && { roles }),
    members: members
      .filter(({ uid }) => uid !== owner_id)
      .map(({ uid, role, suspended }) => ({
        ...names.get(uid),
        role,
        ...(suspended === true && { suspended }),
      })),
    ...domains,
  };
}

/** The days, rounded up, until the members need a second factor. */
function graceOf(mfa_required_at: string) {
  const days = Math.ceil((Date.parse(mfa_required_at) - Date.now()) / 86_400_000);
  return days > 0 ? { mfa_grace_days: days } : {};
}

/**
 * By uid, the identifier of a user that is valid in another project too: the e-mail; without one the external id, which
 * member lists omit, or the uid, which `users:import` stores as the external id.
 */
async function namesOf(
  api: ProjectApi,
  people: readonly Resource[],
): Promise<ReadonlyMap<unknown, Resource>> {
  const names = new Map<unknown, Resource>();
  for (const { uid, email } of people) names.set(uid, email ? { email } : { external_id: uid });
  const unnamed = [...names].filter(([, name]) => !('email' in name)).map(([uid]) => uid);
  for (const { uid, email, external_id = uid } of await usersOf(api, unnamed.map(String)))
    names.set(uid, email ? { email } : { external_id });
  return names;
}

/** The allowed domains, with each mode other than `auto`, the default in files. */
async function domainsOf(api: ProjectApi, workspace: Resource): Promise<Resource> {
  const { workspace_id, allowed_domains } = workspace;
  if ((allowed_domains as string[]).length === 0) return { allowed_domains };
  const path = `/workspaces/${String(workspace_id)}/allowed_domains`;
  const { page } = await readPage(api, path);
  const allowed = page.filter(({ mode }) => mode !== 'off');
  const modes = allowed.filter(({ mode }) => mode !== 'auto');
  return {
    allowed_domains: allowed.map(({ domain }) => domain),
    ...(modes.length > 0 && {
      domain_modes: Object.fromEntries(modes.map(({ domain, mode }) => [domain, mode])),
    }),
  };
}

async function membersOf(api: ProjectApi, workspace_id: string): Promise<Resource[]> {
  const path = `/workspaces/${workspace_id}/users?status=accepted&limit=100`;
  const members: Resource[] = [];
  for await (const page of pagesOf(api, path)) members.push(...page);
  return members;
}
