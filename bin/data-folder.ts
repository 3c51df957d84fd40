import { existsSync } from 'node:fs';
import { CommandFailure } from './flags.ts';

/**
 * Throws a `CommandFailure` if there is no such data folder: a command for existing data must not create an empty
 * folder.
 */
export function requireDataFolder(folder: string): void {
  if (!existsSync(folder))
    throw new CommandFailure(
      `There is no data folder ${folder}. Create it with npm start -- --data ${folder}.`,
    );
}
