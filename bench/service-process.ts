import { fork } from 'node:child_process';
import { type EventEmitter, once } from 'node:events';
import { DynamoDBClient, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { startEngine } from '../local/engine/engine.ts';
import { createTable } from '../local/engine/table.ts';
import type { Usage } from './usage-probe.ts';

export type Project = { project_id: string; secret: string };

/** A server in its own process, which ends with this one. */
export type Server<Ready = unknown> = AsyncDisposable & {
  url: string;
  pid: number;
  projects: Project[];
  /** Its message when it was ready. */
  ready: Ready;
  usage(): Promise<Usage>;
};

/**
 * Starts a server and waits until it accepts requests.
 * @param file server whose first message, or first line if `piped`, contains its `url` and `projects`.
 */
export async function startServer<Ready>(
  file: string,
  options: { args?: string[]; execArgv?: string[]; piped?: boolean } = {},
): Promise<Server<Ready>> {
  const { args = [], execArgv = [], piped = false } = options;
  const errors = process.env['BENCH_STDERR'] ? 'inherit' : 'ignore';
  const child = fork(new URL(file, import.meta.url), args, {
    execArgv: ['--import', new URL('usage-probe.ts', import.meta.url).href, ...execArgv],
    // Log lines are written as in production, and discarded.
    stdio: ['ignore', piped ? 'pipe' : 'ignore', errors, 'ipc'],
  });
  const ended = once(child, 'exit');
  /** The value of an event, unless the server ends first. */
  const next = async (from: EventEmitter, event: string): Promise<unknown> => {
    const [value] = await Promise.race([once(from, event), ended.then(() => [])]);
    if (value === undefined) throw new Error(`${file} ended; BENCH_STDERR=1 shows why`);
    return value;
  };
  const ready = (
    child.stdout
      ? JSON.parse(String(await next(child.stdout, 'data')))
      : await next(child, 'message')
  ) as Ready & { url: string; projects?: Project[] };
  return {
    ready,
    // `localhost` may have two addresses; connections are counted on one.
    url: ready.url.replace('localhost', '127.0.0.1'),
    pid: child.pid ?? 0,
    projects: ready.projects ?? [],
    async usage() {
      child.send('usage');
      return (await next(child, 'message')) as Usage;
    },
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

/** Starts the gateway and the handlers of the API, from their bundles or sources, with a table and one project. */
export async function startService(
  bundles: boolean,
  execArgv: string[] = [],
): Promise<Server & Project> {
  await openTable();
  const server = await startServer('service.ts', { args: bundles ? ['--bundles'] : [], execArgv });
  return { ...server, ...(server.projects[0] as Project) };
}

/**
 * Starts an engine with an empty table `bench`, which this process and its servers find through their environment. It
 * ends with this process.
 *
 * @param folder keeps the data; in memory without it
 */
export async function openTable(folder?: string): Promise<void> {
  const { endpoint } = await startEngine(folder);
  const TableName = 'bench';
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    TABLE_NAME: TableName,
  });
  const client = new DynamoDBClient({});
  await createTable(client, TableName);
  // Each stream record costs the local engine more than the previous one, and nothing here reads them.
  const StreamSpecification = { StreamEnabled: false };
  await client.send(new UpdateTableCommand({ TableName, StreamSpecification }));
  client.destroy();
}
