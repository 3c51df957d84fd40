import { type Engine, startEngine } from '../../local/engine/engine.ts';

export type Nemesis = {
  /** The URL of the engine, or of the last one while it is down. */
  endpoint: () => string;
  /** The number of times the engine was killed. */
  kills: () => number;
  /** Kills the engine, and resolves when another one runs on the same file. Do not call concurrently. */
  kill(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Starts a separate engine, even if the environment names one: that may be the proxy.
 * @param folder stores the data; in memory by default.
 */
export function ownEngine(folder?: string): Promise<Engine> {
  const variable = 'AWS_ENDPOINT_URL_DYNAMODB';
  const named = process.env[variable];
  delete process.env[variable];
  // It reads the environment synchronously.
  const started = startEngine(folder);
  if (named !== undefined) process.env[variable] = named;
  return started;
}

/**
 * Starts an engine on a file in `folder` that can be killed (SIGKILL) at any moment. A folder in memory, such as in
 * /dev/shm, survives that too and is much faster.
 */
export async function startNemesis(folder: string): Promise<Nemesis> {
  let engine = await ownEngine(folder);
  let kills = 0;
  return {
    endpoint: () => engine.endpoint,
    kills: () => kills,
    async kill() {
      const { pid, gone } = engine;
      if (pid === undefined) throw new Error('The engine is not ours.');
      process.kill(pid, 'SIGKILL');
      kills += 1;
      await gone;
      engine = await ownEngine(folder);
    },
    close: () => engine.close(),
  };
}
