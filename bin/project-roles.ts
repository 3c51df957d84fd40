/** Makes the roles and permissions of a project what a file says: `npm run project:roles`. */
import { writeFile } from 'node:fs/promises';
import { messageOf } from '../shared/model/message-of.ts';
import type { Definitions } from '../shared/roles/definitions.ts';
import { CommandFailure, readFileFlags, runCommand, type Terminal } from './flags.ts';
import { planOf, type Step } from './roles/plan.ts';
import { readDefinitions } from './roles/read-definitions.ts';
import { readRolesFile } from './roles/roles-file.ts';
import { untilInterrupted } from './transfer/interruption.ts';
import {
  openProject,
  type ProjectApi,
  placeOf,
  requireTarget,
  targetFlags,
  targetUsage,
} from './transfer/project-api.ts';
import { refusalOf } from './transfer/require-ok.ts';

const usage = `Usage: npm run project:roles -- FILE --project ID (--stack NAME | --local)
Makes the roles and permissions of a project what a file says:
  {"permissions": {"invoice:read": {"description": "See invoices"}},
   "roles": {"clerk": {"name": "Clerk", "permissions": ["invoice:read"]},
             "accountant": {"permissions": ["event:list"], "inherits": ["clerk"]}}}
Prints each change. Members have what their role holds from the next request on. A run that was stopped goes on when you
start it again.
  --dry-run         changes nothing; prints what would change
  --delete          deletes what the file does not have; without it, that stays and is named
  --write           writes the file instead, with what the project has; fails if the file is there
${targetUsage}
Exit code 1: a change was refused; those printed before it are done.`;

export async function main(args: string[], terminal: Terminal): Promise<string> {
  const flags = readFileFlags(args, {
    'dry-run': { type: 'boolean' },
    delete: { type: 'boolean' },
    write: { type: 'boolean' },
    ...targetFlags,
  });
  if (!flags) return usage;
  const { file, values } = flags;
  const target = requireTarget(values);
  const { 'dry-run': dryRun = false, delete: prune = false, write = false } = values;
  if (write && (dryRun || prune)) throw new CommandFailure('Pass --write alone.');
  const desired = write ? undefined : await readRolesFile(file);
  const place = await placeOf(target);
  using interruption = untilInterrupted(terminal);
  const api = await openProject(place, 'roles', terminal);
  try {
    const current = await readDefinitions(api);
    if (!desired) return await writeRolesFile(file, current);
    const { steps, left } = planOf(current, desired, prune);
    for (const step of steps) {
      interruption.signal.throwIfAborted();
      if (!dryRun) await perform(api, step);
      terminal.stdout.write(`${step.line}\n`);
    }
    for (const name of left)
      terminal.stdout.write(`  ${name} is not in the file and stays; --delete deletes it\n`);
    if (steps.length === 0) return 'Nothing to change.';
    return `${steps.length} ${steps.length === 1 ? 'change' : 'changes'}${dryRun ? '; none was made' : ''}.`;
  } finally {
    await api.close();
  }
}

if (import.meta.main) await runCommand(main);

async function perform(api: ProjectApi, { method, path, body, line }: Step): Promise<void> {
  const answer = await api.call(method, path, body && { body });
  // A deletion whose response was lost has succeeded.
  if (answer.status < 400 || (method === 'DELETE' && answer.status === 404)) return;
  throw new CommandFailure(`${line}\n  refused: ${refusalOf(answer.body)}`);
}

async function writeRolesFile(file: string, definitions: Definitions): Promise<string> {
  try {
    await writeFile(file, `${JSON.stringify(definitions, undefined, 2)}\n`, { flag: 'wx' });
  } catch (error) {
    throw new CommandFailure(messageOf(error), { cause: error });
  }
  const [permissions, roles] = [definitions.permissions, definitions.roles].map(
    (each) => Object.keys(each).length,
  );
  return `${permissions} permissions and ${roles} roles written to ${file}.`;
}
