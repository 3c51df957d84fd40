/** Manages projects from a terminal: `npm run project:*`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultFolder } from '../local/environment.ts';
import { lifetimes } from '../shared/model/limits.ts';
import { messageOf } from '../shared/model/message-of.ts';
import { requireDataFolder } from './data-folder.ts';
import { CommandFailure, runCommand, type Terminal } from './flags.ts';
import { operateAt } from './operate-at.ts';
import { isNewSecret, remarks } from './project/remarks.ts';
import { actions, type ProjectCommand, readCommand } from './project/request.ts';
import { usage } from './project/usage.ts';
import { untilInterrupted } from './transfer/interruption.ts';

export async function main(args: string[], terminal: Terminal): Promise<string> {
  const command = await read(args);
  if (!command) return usage;
  const { request, target } = command;
  // The default one may be created.
  if ('folder' in target && target.folder !== defaultFolder) requireDataFolder(target.folder);
  // A new secret is shown once, so Ctrl-C must not come between its creation and its output.
  using interruption = untilInterrupted(terminal);
  const { signal } = interruption;
  const answer = await operateAt(target, request);
  if (isNewSecret(answer)) {
    // An instance that has just read the project rejects the new secret until it may read again. A script that uses the
    // secret at once must not hit that, so the command returns only when every instance accepts the secret.
    await sleep(lifetimes.projectReread * 1_000 + 200, undefined, { signal }).catch(() => {});
  }
  for (const remark of remarks(request, target, answer)) terminal.stderr.write(`${remark}\n`);
  return JSON.stringify(answer, undefined, 2);
}

if (import.meta.main) await runCommand(main);

async function read(args: string[]): Promise<ProjectCommand | undefined> {
  try {
    return await readCommand(args);
  } catch (error) {
    const action = actions.find((each) => each === args[0]) ?? 'create';
    const more = `See npm run project:${action} -- --help.`;
    throw new CommandFailure(`${messageOf(error)}\n${more}`, { cause: error });
  }
}
