import { type ParseArgsConfig, parseArgs } from 'node:util';

/** A problem with a command, or the reason why it failed, as one sentence for the terminal; never a stack trace. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}

/** Reads the command line. Throws a `CommandFailure` for an unknown flag or a missing value. */
export function parseFlags<T extends ParseArgsConfig>(config: T) {
  try {
    return parseArgs(config);
  } catch (error) {
    // Node's message ends with advice for the author of the program, which is cut off.
    const [first = ''] = messageOf(error).split(/\. |\n/);
    throw new CommandFailure(`${first.replace(/\.$/, '')}.`);
  }
}

/** The only argument beside the flags. */
export function requireFile([file, ...others]: readonly string[]): string {
  if (file === undefined || others.length > 0) throw new CommandFailure('Pass one FILE.');
  return file;
}

/** Runs a command: its result goes to stdout, its error to stderr with exit code 1. */
export async function runCommand(work: () => Promise<string>): Promise<void> {
  try {
    process.stdout.write(`${await work()}\n`);
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = 1;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
