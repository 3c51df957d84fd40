import { openTable, type Project } from './service-process.ts';

export type Started = { url: string; projects: [Project] };

/**
 * Starts the service in this process, where its calls can be metered. It reports its address to a parent process.
 *
 * @param folder keeps the data; in memory without it
 */
export async function startHere(folder?: string): Promise<Started> {
  await openTable(folder);
  process.env['LOG_LEVEL'] = 'silent';
  // service.ts would read the benchmark's options as its own.
  process.argv.splice(2);
  const { promise, resolve } = Promise.withResolvers<Started>();
  process.send = (message: Started) => {
    resolve(message);
    return true;
  };
  await import('./service.ts');
  return promise;
}
