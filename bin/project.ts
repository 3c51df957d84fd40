/** Manages projects from a terminal: `npm run project:*`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Project } from '../shared/access/projects.ts';
import { lifetimes } from '../shared/model/limits.ts';
import type { OperatorRequest } from '../shared/operator/request.ts';
import { CommandFailure, messageOf, runCommand } from './flags.ts';
import { missingLinks } from './project-links.ts';
import { actions, type ProjectCommand, readCommand, usage } from './project-request.ts';

await runCommand(async () => {
  const command = await read();
  if (!command) return usage;
  const { request, target } = command;
  const answer =
    'stack' in target
      ? await (await import('./project-stack.ts')).operateStack(request, target.stack)
      : await operateFolder(request, target);
  if (isNewSecret(answer)) {
    // An instance that has just read the project rejects the new secret until it may read again. A script that uses the
    // secret at once must not hit that, so the command returns only when every instance accepts the secret.
    await sleep(lifetimes.projectReread * 1_000 + 200);
  }
  for (const remark of remarks(request, target, answer)) process.stderr.write(`${remark}\n`);
  return JSON.stringify(answer, undefined, 2);
});

async function read(): Promise<ProjectCommand | undefined> {
  const args = process.argv.slice(2);
  try {
    return await readCommand(args);
  } catch (error) {
    const action = actions.find((each) => each === args[0]) ?? 'create';
    const more = `See npm run project:${action} -- --help.`;
    throw new CommandFailure(`${messageOf(error)}\n${more}`, { cause: error });
  }
}

async function operateFolder(
  request: OperatorRequest,
  { folder, mustExist }: { folder: string; mustExist: boolean },
): Promise<unknown> {
  if (mustExist && !existsSync(folder)) {
    throw new CommandFailure(
      `There is no data folder ${folder}. Create it with npm start -- --data ${folder}.`,
    );
  }
  return (await import('../local/operator.ts')).operateLocally(request, folder);
}

/** Remarks on the result, written to stderr because stdout is for programs. */
function remarks(
  request: OperatorRequest,
  target: ProjectCommand['target'],
  answer: unknown,
): string[] {
  if (request.action === 'revoke-secret') return ofRevoked(request.secret_id, answer);
  if (request.action === 'update') return ofUpdated(answer);
  if (!isNewSecret(answer)) return [];
  const secret =
    'stack' in target
      ? 'The secret is shown only once.'
      : `The secret is stored in ${join(target.folder, 'projects.json')}.`;
  const lines = [`${secret} The Basic credential is project_id:secret.`];
  if (request.action === 'create' && request.invitation_base_url === undefined) {
    lines.push(
      'Its invitation links have no target yet: set --invitation-base-url with project:update.',
    );
  }
  return [...lines, ...unsetLinks(answer)];
}

/** The mail links that are not set. */
function unsetLinks(answer: unknown): string[] {
  return missingLinks(answer as Project).map(
    (purpose) => `Its ${purpose} mail links have no target yet: set all links with --mail-links.`,
  );
}

function ofUpdated(answer: unknown): string[] {
  const late = `Running instances see the change within ${lifetimes.projectCache} s.`;
  return [...unsetLinks(answer), late];
}

function ofRevoked(secret_id: string, answer: unknown): string[] {
  const { secrets = [] } = answer as { secrets?: unknown[] };
  const lines = [`The secret ${secret_id} stops working within ${lifetimes.projectCache} s.`];
  if (secrets.length === 0) {
    lines.push(
      'It was the last one: the backend cannot authenticate until project:create-secret creates another.',
    );
  }
  return lines;
}

function isNewSecret(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'secret' in answer;
}
