/** What the operator does with projects, for a terminal: `npm run project:*`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lifetimes } from '../shared/limits.ts';
import type { OperatorRequest } from '../shared/operator/projects.ts';
import { CommandFailure, messageOf, runCommand } from './flags.ts';
import { type ProjectCommand, readCommand, usage } from './project-request.ts';

await runCommand(async () => {
  const command = read();
  if (!command) return usage;
  const { request, target } = command;
  const answer =
    'stack' in target
      ? await (await import('./project-stack.ts')).operateStack(request, target.stack)
      : await operateFolder(request, target);
  if (request.action === 'create' || request.action === 'rotate-key') {
    // An instance that has just read the project refuses the new secret until it may read again. A script that uses
    // the secret at once must not meet that, so it gets it when every instance takes it.
    await sleep(lifetimes.projectReread * 1_000 + 200);
    process.stderr.write(`${remarks(request, target).join('\n')}\n`);
  }
  return JSON.stringify(answer, undefined, 2);
});

function read(): ProjectCommand | undefined {
  const args = process.argv.slice(2);
  try {
    return readCommand(args);
  } catch (error) {
    const action = /^(?:create|list|rotate-key|update)$/.test(args[0] ?? '') ? args[0] : 'create';
    const more = `See npm run project:${action} -- --help.`;
    throw new CommandFailure(`${messageOf(error)}\n${more}`, { cause: error });
  }
}

async function operateFolder(
  request: OperatorRequest,
  { folder, mustExist }: { folder: string; mustExist: boolean },
): Promise<unknown> {
  if (mustExist && !existsSync(folder)) {
    throw new CommandFailure(`There is no data folder ${folder}: npm start -- --data makes one.`);
  }
  return (await import('../local/operate.ts')).operateLocally(request, folder);
}

/** What the person should know about the answer; for stderr, because stdout is for a program. */
function remarks(request: OperatorRequest, target: ProjectCommand['target']): string[] {
  const secret =
    'stack' in target
      ? 'The secret is shown this once.'
      : `The secret is kept in ${join(target.folder, 'projects.json')}.`;
  const lines = [`${secret} The Basic credential is project_id:secret.`];
  if (request.action === 'create' && request.invitation_base_url === undefined) {
    lines.push(
      'Its invitation links lead nowhere yet: set where with project:update --invitation-base-url.',
    );
  }
  return lines;
}
