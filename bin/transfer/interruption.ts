import { onInterruption } from '../../local/interruption.ts';
import { CommandFailure, type Terminal } from '../flags.ts';

/** Exit code of a process that Ctrl-C has ended, by POSIX. */
const interrupted = 130;

/**
 * Aborts at the first Ctrl-C, so that a run ends after the work in progress; a later one ends the process. Listens
 * until disposed.
 */
export function untilInterrupted(
  { stderr }: Pick<Terminal, 'stderr'>,
  sentence = 'Stopping after the requests under way …',
): Disposable & { signal: AbortSignal } {
  const controller = new AbortController();
  const listener = onInterruption(
    () => {
      stderr.write(`\n${sentence}\n`);
      controller.abort(new CommandFailure('Stopped. Run the command again to go on.'));
    },
    () => process.exit(interrupted),
  );
  return Object.assign(listener, { signal: controller.signal });
}
