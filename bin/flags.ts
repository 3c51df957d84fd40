import type { Readable } from 'node:stream';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { messageOf } from '../shared/model/message-of.ts';

/**
 * The parts of the process that a command uses in addition to its arguments: normally `process` itself. A caller inside
 * another process passes a separate one for each call, so that no two calls share state.
 */
export type Terminal = {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable & { isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  exitCode?: number | string | null | undefined;
};
type Output = { isTTY?: boolean; write(text: string): unknown };

/** Resolves with the final output of the command. Rejects with the reason why it failed. */
export type Command = (args: string[], terminal: Terminal) => Promise<string>;

/** A problem with a command, or the reason why it failed, as one sentence for the terminal; never a stack trace. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}

/** Reads the command line. Throws a `CommandFailure` for an unknown flag or a missing value. */
export function parseFlags<const T extends ParseArgsConfig & { args: string[] }>(config: T) {
  try {
    return parseArgs(config);
  } catch (error) {
    // Cuts off the end of Node's message, which is advice for the author of the program.
    const [first = ''] = messageOf(error).split(/\. |\n/);
    throw new CommandFailure(`${first.replace(/\.$/, '')}.`);
  }
}

/** The message of an error, as a sentence. */
export const sentenceOf = (error: unknown): string => messageOf(error).replace(/(?<![.!?])$/, '.');

const help = { help: { type: 'boolean', short: 'h' } } as const;
type Flags = NonNullable<ParseArgsConfig['options']>;

/** The flags of a command that takes nothing else; undefined for `--help`. Throws as `parseFlags`. */
export function readFlags<const F extends Flags>(args: string[], flags: F) {
  const { values } = parseFlags({ args, options: { ...flags, ...help } });
  return 'help' in values ? undefined : values;
}

/** The file and the flags of a command on one file; undefined for `--help`. Throws as `parseFlags`. */
export function readFileFlags<const F extends Flags>(args: string[], flags: F) {
  const options = { ...flags, ...help };
  const { values, positionals } = parseFlags({ args, options, allowPositionals: true });
  return 'help' in values ? undefined : { file: requireFile(positionals), values };
}

function requireFile([file, ...others]: readonly string[]): string {
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
 * Lets a command finish although its output can no longer be written, as with `| head`, a closed terminal or a full
 * disk: it may still have secrets to revoke. Also reads the region as the AWS CLI does, because the SDK ignores one of
 * the CLI's variables.
 */
function prepareProcess(): void {
  for (const output of [process.stdout, process.stderr])
    output.on('error', () => {
      process.exitCode = 1;
    });
  const { AWS_DEFAULT_REGION: region } = process.env;
  if (region) process.env['AWS_REGION'] ||= region;
}
