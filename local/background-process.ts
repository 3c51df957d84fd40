import { fork } from 'node:child_process';
import { join } from 'node:path';
import { keptMails, type Mail } from './aws/ses.ts';
import type { Order, Report, Settings } from './background.ts';
import { StartFailure } from './failure.ts';

export type Background = {
  /** Loads the functions and follows the table from now on. Resolves with the address of the schedules. */
  start(settings: Settings): Promise<{ schedules: string }>;
  /** Announces that the table may have changed. */
  announce(): void;
  /** The retained mails, newest first. */
  mails(): readonly Mail[];
  /** Resolves when the process has ended for any reason. */
  gone: Promise<void>;
  close(): Promise<void>;
};

/** Milliseconds in which writes are announced together. */
const together = 20;
/**
 * Starts the process of the background functions, which cannot outlive this one, even after `kill -9`. A Ctrl-C in the
 * terminal does not reach it; it ends only by `close` or with this process.
 * @param stdout the file descriptor to which it writes the log lines of its functions.
 * @param patience milliseconds for functions in flight to end when the service does.
 */
export function forkBackground(stdout: 1 | 2, patience: number): Background {
  const mails: Mail[] = [];
  const [started, gone] = [
    Promise.withResolvers<{ schedules: string }>(),
    Promise.withResolvers<void>(),
  ];
  const child = fork(join(import.meta.dirname, 'background.ts'), [], {
    detached: true,
    stdio: ['ignore', stdout, 2, 'ipc'],
  });
  child.once('exit', () => gone.resolve());
  child.once('error', () => gone.resolve());
  child.on('message', (report: Report) => {
    if ('started' in report) return started.resolve(report.started);
    mails.unshift(report.mail);
    mails.splice(keptMails);
  });
  // Sending fails if the process has ended; `gone` reports that.
  const send = (order: Order) => void child.send(order, () => {});
  let announcing: NodeJS.Timeout | undefined;
  return {
    start(settings) {
      send({ start: settings });
      const failed = gone.promise.then(() => {
        throw new StartFailure('The background functions could not be started.');
      });
      return Promise.race([started.promise, failed]);
    },
    announce() {
      announcing ??= setTimeout(() => {
        announcing = undefined;
        send('written');
      }, together);
    },
    mails: () => mails,
    gone: gone.promise,
    async close() {
      send('stop');
      // A hanging process must not keep the server from closing the rest.
      const timer = setTimeout(() => child.kill('SIGKILL'), patience);
      await gone.promise;
      clearTimeout(timer);
    },
  };
}
