import { Text, type TextProps } from '@mantine/core';

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });
const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });
const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

function ago(iso: string, now = Date.now()): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1_000);
  const [unit, size] = units.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1];
  return relative.format(Math.trunc(seconds / size), unit);
}

/** That of the text around it, unless it has a size of its own. */
const fontOf = ({ size }: TextProps) => (size === undefined ? 'inherit' : size);

/** A time of the next minutes, on the operator's own clock. */
export const Clock = ({ at }: { at: string }) => (
  <time dateTime={at} title={exact.format(new Date(at))}>
    {clock.format(new Date(at))}
  </time>
);

type Props = TextProps & {
  at: string | undefined;
  /** Also for who cannot point at it. */
  exact?: boolean;
};

/** A time: how long ago, and exactly for who points at it. */
export const When = ({ at, exact: isExact = false, ...props }: Props) =>
  at === undefined ? (
    <Text fz={fontOf(props)} c="dimmed" {...props} component="span">
      never
    </Text>
  ) : (
    <Text
      fz={fontOf(props)}
      {...props}
      component="time"
      dateTime={at}
      title={exact.format(new Date(at))}
    >
      {ago(at)}
      {isExact && ` – ${exact.format(new Date(at))}`}
    </Text>
  );
