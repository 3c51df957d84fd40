import { existsSync } from 'node:fs';
import { CommandFailure } from './flags.ts';

/** Throws a `CommandFailure` if there is no such data folder: a command for its data must not make an empty one. */
export function requireDataFolder(folder: string): void {
  if (!existsSync(folder))
    throw new CommandFailure(
      `There is no data folder ${folder}. Create it with npm start -- --data ${folder}.`,
    );
}
