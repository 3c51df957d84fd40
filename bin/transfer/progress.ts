import type { Terminal } from '../flags.ts';

/** The progress of a run. */
export type Progress = {
  done: number;
  failed: number;
  /** In any unit: bytes of a file, or rows. Without it, neither percentage nor remaining time is shown. */
  share?: { done: number; total: number } | undefined;
};

export type Reporter = { show(progress: Progress): void; end(): void };

/** Milliseconds between two updates: of a bar, and of lines. */
const often = 200;
const seldom = 5_000;
const width = 24;

/**
 * Shows the progress on stderr: a redrawn bar on a terminal, occasional lines elsewhere.
 *
 * @param before rows of an earlier run, which do not count towards the rate
 */
export function progressOn(
  stream: Terminal['stderr'],
  what: string,
  { before = 0, now = Date.now }: { before?: number; now?: () => number } = {},
): Reporter {
  const began = now();
  let firstDone: number | undefined;
  let last = stream.isTTY ? 0 : began;
  let drawn = false;
  return {
    show(progress) {
      firstDone ??= progress.share?.done;
      if (now() - last < (stream.isTTY ? often : seldom)) return;
      last = now();
      const text = describe(progress, what, (now() - began) / 1_000, before, firstDone ?? 0);
      stream.write(stream.isTTY ? `\r\u001b[2K${barOf(progress)}${text}` : `${text}\n`);
      drawn = true;
    },
    end() {
      if (stream.isTTY && drawn) stream.write('\r\u001b[2K');
    },
  };
}

function barOf({ share }: Progress): string {
  if (!share) return '';
  const full = Math.round(width * fractionOf(share));
  return `${'█'.repeat(full)}${'░'.repeat(width - full)} `;
}

const fractionOf = ({ done, total }: { done: number; total: number }): number =>
  total === 0 ? 1 : Math.min(1, done / total);

function describe(
  { done, failed, share }: Progress,
  what: string,
  seconds: number,
  before: number,
  firstDone: number,
): string {
  const rate = seconds > 0 ? (done - before) / seconds : 0;
  const left =
    share && share.done > firstDone
      ? ((share.total - share.done) / (share.done - firstDone)) * seconds
      : undefined;
  return [
    ...(share ? [`${Math.floor(fractionOf(share) * 100)} %`] : []),
    `${done} ${what}`,
    `${Math.round(rate)}/s`,
    `${failed} errors`,
    ...(left === undefined ? [] : [`${durationInWords(left)} left`]),
  ].join(', ');
}

function durationInWords(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  return whole < 3_600 ? `${Math.ceil(whole / 60)} min` : `${(whole / 3_600).toFixed(1)} h`;
}
