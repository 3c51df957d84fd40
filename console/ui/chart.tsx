import { Group, Paper, Text } from '@mantine/core';

export type Point = { label: string; value: number };

const [width, height] = [600, 120];

type Props = {
  title: string;
  points: Point[];
  /** How many days there is room for: those before the first one were not counted. */
  days: number;
  total?: string | undefined;
};

/** A chart of bars, one for each day. The table in it is for those who do not see it. */
export function Chart({ title, points, days, total }: Props) {
  const peak = Math.max(0, ...points.map(({ value }) => value));
  const max = Math.max(1, peak);
  const step = width / Math.max(days, points.length);
  const skipped = Math.max(0, days - points.length);
  const sum = points.reduce((before, { value }) => before + value, 0);
  return (
    <Paper withBorder p="md" component="figure" m={0}>
      <Group justify="space-between" component="figcaption" mb="sm">
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="sm" c="dimmed">
          {total ??
            `${sum.toLocaleString('en')} in ${points.length === 1 ? '1 day' : `${points.length} days`}`}
        </Text>
      </Group>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width="100%"
        height={height}
        preserveAspectRatio="none"
        aria-hidden="true"
        className="chart"
      >
        <line x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} className="axis" />
        {points.map(({ label, value }, index) => {
          const barHeight = value === 0 ? 0 : Math.max(3, (value / max) * (height - 8));
          return (
            <rect
              key={label}
              x={(skipped + index) * step + step * 0.15}
              y={height - barHeight}
              width={step * 0.7}
              height={barHeight}
            >
              <title>{`${label}: ${value.toLocaleString('en')}`}</title>
            </rect>
          );
        })}
      </svg>
      <Group justify="space-between" mt={4} gap="xs" wrap="nowrap">
        <Text size="xs" c="dimmed">
          {skipped > 0 && 'since '}
          {points[0]?.label}
        </Text>
        <Text size="xs" c="dimmed">
          {peak > 0 && `peak ${peak.toLocaleString('en')}`}
        </Text>
        <Text size="xs" c="dimmed">
          {points.at(-1)?.label}
        </Text>
      </Group>
      <div className="unseen">
        <table>
          <caption>{title}</caption>
          <tbody>
            {points.map(({ label, value }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Paper>
  );
}
