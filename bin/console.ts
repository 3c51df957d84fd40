/** Serves the console for operators on this machine: `npm run console`. */
import { once } from 'node:events';
import { startConsole } from '../console/server/serve.ts';
import { defaultFolder } from '../local/environment.ts';
import { messageOf } from '../shared/model/message-of.ts';
import { CommandFailure, readFlags, runCommand, type Terminal } from './flags.ts';
import { untilInterrupted } from './transfer/interruption.ts';
import type { Operate } from './transfer/run-secrets.ts';

const usage = `Usage: npm run console -- --stack NAME | --local [--data FOLDER] [--url URL]

Serves a page on this machine with which you manage projects, users, workspaces, webhooks and events.
  --stack NAME   a deployed stack (credentials and region as the AWS CLI takes them)
  --local        the service that npm start runs on this machine
  --data FOLDER  the data folder of that service (default .data)
  --url URL      the address of that service (default http://localhost:3000)
  --port N       listen on port N of 127.0.0.1 (default: a free one; docs/operate/console.md says why)

The secrets that it works with stay in its memory. They are revoked when it ends, by Ctrl-C, and expire within an hour.`;

type Target = { stack?: string; service: string; operate: Operate };

export async function main(args: string[], terminal: Terminal): Promise<string> {
  const values = readFlags(args, {
    stack: { type: 'string' },
    local: { type: 'boolean' },
    data: { type: 'string' },
    url: { type: 'string' },
    port: { type: 'string' },
  });
  if (!values) return usage;
  const { stack, local, data, url, port = '0' } = values;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new CommandFailure(`--port must be a number from 0 to 65535, not '${port}'.`);
  if (stack === '' || (stack === undefined) === (local !== true))
    throw new CommandFailure('Pass --stack NAME or --local.');
  if (stack !== undefined && (data !== undefined || url !== undefined))
    throw new CommandFailure('Pass --data and --url only together with --local.');
  const target =
    stack === undefined
      ? await targetOnThisMachine(data ?? defaultFolder, url ?? 'http://localhost:3000')
      : await targetOfStack(stack);
  const console = await startConsole({ port: Number(port), ...target }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new CommandFailure(`Port ${port} is in use. Choose another one with --port.`);
  });
  terminal.stdout.write(`${console.address}\n`);
  terminal.stderr.write('Open this address in your browser. Ctrl-C ends the console.\n');
  using interruption = untilInterrupted(terminal, 'Ending the console …');
  await once(interruption.signal, 'abort');
  const left = await console.close();
  if (left.length > 0) throw new CommandFailure(left.join('\n'));
  return 'The console has ended, and its secrets are revoked.';
}

if (import.meta.main) await runCommand(main);

async function targetOfStack(stack: string): Promise<Target> {
  const { operateStack, outputOf } = await import('./project/stack.ts');
  const service = await outputOf(stack, 'BaseUrl');
  return { stack, service, operate: (request) => operateStack(request, stack) };
}

async function targetOnThisMachine(folder: string, url: string): Promise<Target> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new CommandFailure(`--url must be the address of the service, not '${url}'.`);
  const { operatorOf } = await import('../local/operator.ts');
  const operate = await operatorOf(folder);
  if (!operate)
    throw new CommandFailure(
      `No service runs on the data folder ${folder}: start it with npm start, or name its folder with --data.`,
    );
  await fetch(url, { redirect: 'manual' }).catch((error: unknown) => {
    throw new CommandFailure(
      `${url} does not answer (${messageOf((error as Error).cause ?? error)}): name the address of the service with --url.`,
    );
  });
  return { service: url, operate };
}
