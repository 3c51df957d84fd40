import { type Engine, startEngine } from '../../local/engine/engine.ts';

export type Nemesis = {
  /** Where the engine is now, or was before it was killed. */
  endpoint: () => string;
  /** How often the engine was killed. */
  kills: () => number;
  /** Kills the engine as it stands, and resolves when another answers on the same file. One at a time. */
  kill(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Starts an engine of our own, whatever engine the environment names: by then that may be our own proxy.
 * @param folder keeps the data; in memory without it.
 */
export function ownEngine(folder?: string): Promise<Engine> {
  const variable = 'AWS_ENDPOINT_URL_DYNAMODB';
  const named = process.env[variable];
  delete process.env[variable];
  // It reads the environment before it first waits.
  const started = startEngine(folder);
  if (named !== undefined) process.env[variable] = named;
  return started;
}

/**
 * Starts an engine on a file in `folder` that can be killed (SIGKILL) in the middle of whatever it does. A folder in
 * memory, such as one of /dev/shm, is kept like any other, and much faster.
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
