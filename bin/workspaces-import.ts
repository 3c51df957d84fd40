/** Imports workspaces and their members from a file: `npm run workspaces:import`. */
import { resolve } from 'node:path';
import { readFileFlags, runCommand, type Terminal } from './flags.ts';
import { readLines } from './import/read-lines.ts';
import { runImport } from './import/run-import.ts';
import { workspaceSender } from './import/send-workspaces.ts';
import { nameOfWorkspace, toWorkspaceRow, type WorkspaceRow } from './import/workspace-row.ts';
import { requireTarget, targetFlags, targetUsage } from './transfer/project-api.ts';

const usage = `Usage: npm run workspaces:import -- FILE --project ID (--stack NAME | --local)
Creates the workspaces of a file of JSON lines, with their members:
  {"name": "Engines", "external_id": "org-1", "owner": {"email": "ada@example.com"},
   "members": [{"external_id": "crm-2", "role": "admin"}], "allowed_domains": ["example.com"]}
A member may have "suspended": true, and the line "domain_modes": {"example.com": "suggest"}: without a mode, users of a
domain join at once. Owner and members are users of the project, by uid, external_id or email. A workspace whose
external_id exists gets the members that it lacks, those whom the line suspends are suspended, and nothing else of it
changes. A line without external_id that has a workspace_id, as of npm run workspaces:export, gets that as its
external_id. A line with neither is created once only if it is sent again within 24 hours from the same line of the same
file. Errors go to FILE.errors.jsonl, with line numbers. A run that was stopped or killed goes on where it was when you
start it again (FILE.checkpoint.json).
  --dry-run         creates nothing; writes the errors, to FILE.dry-run-errors.jsonl. It checks each line as the service
                    would, but cannot know limits that will be reached, whether the project lets workspaces have roles
                    of their own or a required second factor, who is a member already, and whether a line without
                    external_id was sent before
${targetUsage}
Exit code 1: some workspaces, or members of them, were refused.`;

export async function main(args: string[], terminal: Terminal): Promise<string> {
  const flags = readFileFlags(args, {
    'dry-run': { type: 'boolean' },
    ...targetFlags,
  });
  if (!flags) return usage;
  const { file, values } = flags;
  const target = requireTarget(values);
  const { 'dry-run': dryRun = false } = values;
  return runImport<WorkspaceRow>({
    what: 'workspaces',
    file,
    target,
    terminal,
    dryRun,
    options: '',
    records: () => readLines(file),
    prepare: toWorkspaceRow,
    nameOf: nameOfWorkspace,
    batch: { rows: 5, bytes: Infinity, width: 4 },
    send: workspaceSender(`${target.project} ${resolve(file)}`, dryRun),
  });
}

if (import.meta.main) await runCommand(main);
