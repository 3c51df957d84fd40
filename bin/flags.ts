import type { Readable } from 'node:stream';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { messageOf } from '../shared/model/message-of.ts';

/**
 * What a command has of its process beside its arguments, which is the process itself. A caller within another process
 * gives one of its own for each call, so that no two calls share anything.
 */
export type Terminal = {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable & { isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  exitCode?: number | string | null | undefined;
};
type Output = { isTTY?: boolean; write(text: string): unknown };

/** Resolves with what the command prints at its end. Rejects with why it failed. */
export type Command = (args: string[], terminal: Terminal) => Promise<string>;

/** A problem with a command, or the reason why it failed, as one sentence for the terminal; never a stack trace. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}

/** Reads the command line. Throws a `CommandFailure` for an unknown flag or a missing value. */
export function parseFlags<T extends ParseArgsConfig & { args: string[] }>(config: T) {
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
export async function runCommand(
  main: Command,
  args = process.argv.slice(2),
  terminal: Terminal = process,
): Promise<void> {
  if (terminal === process) prepareProcess();
  try {
    terminal.stdout.write(`${await main(args, terminal)}\n`);
  } catch (error) {
    terminal.stderr.write(`${messageOf(error)}\n`);
    terminal.exitCode = 1;
  }
}

/**
 * Lets a command end its work though its output cannot be written any more, as behind `| head`, in a terminal that was
 * closed or on a full disk: it still has secrets to revoke. And takes the region as the AWS CLI does, whose other
 * variable the SDK does not know.
 */
function prepareProcess(): void {
  for (const output of [process.stdout, process.stderr])
    output.on('error', () => {
      process.exitCode = 1;
    });
  const { AWS_DEFAULT_REGION: region } = process.env;
  if (region) process.env['AWS_REGION'] ||= region;
}
