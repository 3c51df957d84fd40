import { vi } from 'vitest';

/** Keeps what the functions in this process log from now on, which is then not printed. */
export function keepLog() {
  const log: string[] = [];
  const before = process.env['LOG_LEVEL'] ?? 'silent';
  const stderr = vi
    .spyOn(process.stderr, 'write')
    .mockImplementation((line) => log.push(String(line)) > 0);
  process.env['LOG_LEVEL'] = 'info';
  const stop = () => {
    stderr.mockRestore();
    process.env['LOG_LEVEL'] = before;
  };
  return { log, stop };
}

/** The result of some work, and the lines that it logs. */
export async function logged<T>(work: () => Promise<T>) {
  const { log, stop } = keepLog();
  try {
    const result = await work();
    return { result, lines: log.map((line) => JSON.parse(line)) };
  } finally {
    stop();
  }
}
