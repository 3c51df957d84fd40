import { type ParseArgsConfig, parseArgs } from 'node:util';

/** What is wrong with a command, or why it failed, in a sentence for whoever typed it; never a stack trace. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}

/** Reads the command line. Throws a `CommandFailure` for a flag that it does not know or that lacks its value. */
export function parseFlags<T extends ParseArgsConfig>(config: T) {
  try {
    return parseArgs(config);
  } catch (error) {
    // Node adds advice for the author of the program.
    const [first = ''] = messageOf(error).split(/\. |\n/);
    throw new CommandFailure(`${first.replace(/\.$/, '')}.`);
  }
}

/** Runs a command to its end: what it returns goes to stdout; why it fails to stderr, with exit code 1. */
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
