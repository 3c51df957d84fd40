import { Alert, Paper, SegmentedControl, SimpleGrid, Text } from '@mantine/core';
import type { DayStatistics } from '../../client/generated/api.ts';
import { clientOf, readProject } from '../ui/api.ts';
import { Chart } from '../ui/chart.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Page } from '../ui/page.tsx';
import { useQuery } from '../ui/route.tsx';
import { useLoad } from '../ui/use-load.ts';
import type { ViewProps } from '../ui/view-props.ts';

const sum = (days: DayStatistics[], countOf: (day: DayStatistics) => number) =>
  days.reduce((before, day) => before + countOf(day), 0);

/** Numbers of days that can be shown. */
const spans = ['7', '30', '90'];

export function OverviewView({ project }: ViewProps) {
  const [query, setQuery] = useQuery();
  const asked = query.get('days') ?? '';
  const days = spans.includes(asked) ? asked : '30';
  const stats = useLoad(`stats ${project} ${days}`, async (signal) => {
    const { body } = await clientOf(project).stats.get({ days: Number(days) }, { signal });
    return body;
  });
  const { data } = stats;
  const named = useLoad(`name ${project}`, (signal) => readProject(project, signal));
  const room = Number(days);
  const charts = data && [
    <DayChart
      key="n"
      title="New users"
      room={room}
      days={data.days}
      value={({ new_users }) => new_users}
    />,
    <DayChart
      key="a"
      title="Active users"
      room={room}
      days={data.days}
      value={({ active_users }) => active_users}
      total={data.months.map((each) => `${each.active_users} in ${each.month}`).join(', ')}
    />,
    ...methodsOf(data.days).map((method) => (
      <DayChart
        key={`s ${method}`}
        title={`Sign-ins by ${names[method] ?? method}`}
        room={room}
        days={data.days}
        value={({ sign_ins }) => sign_ins[method] ?? 0}
      />
    )),
    <DayChart
      key="f"
      title="Failed sign-ins"
      room={room}
      days={data.days}
      value={failuresOf}
      total={`${sum(data.days, failuresOf)} failed, ${sum(data.days, (day) => day.lockouts)} locked out`}
    />,
    <DayChart
      key="i"
      title="Invitations sent"
      room={room}
      days={data.days}
      value={(day) => day.invitations_created}
      total={`${sum(data.days, (day) => day.invitations_created)} sent, ${sum(data.days, (day) => day.invitations_accepted)} accepted`}
    />,
  ];
  return (
    <Page
      title={named.data?.name ?? project}
      actions={
        <SegmentedControl
          aria-label="Days"
          value={days}
          onChange={(value) => setQuery({ days: value })}
          data={spans.map((value) => ({ value, label: `${value} days` }))}
        />
      }
    >
      <LoadState of={stats} label="numbers" />
      {data && (
        <>
          {data.totals ? (
            <SimpleGrid className="totals" spacing="sm">
              <Total name="Users" value={data.totals.users} />
              <Total name="Workspaces" value={data.totals.workspaces} />
              <Total name="Members" value={data.totals.members} />
            </SimpleGrid>
          ) : (
            <Alert color="gray" title="Totals are not counted yet">
              Run npm run backfill:directory to count what was there before the upgrade.
            </Alert>
          )}
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
            {charts}
          </SimpleGrid>
          <Text size="sm" c="dimmed">
            By days in UTC, about a second behind.
            {data.counted_since !== undefined &&
              ` Counted since ${data.counted_since.slice(0, 10)}.`}
          </Text>
        </>
      )}
    </Page>
  );
}

/** How sessions are started, in words. */
const names: Record<string, string> = {
  idpw: 'password',
  email_code: 'code',
  email_link: 'link',
  project: 'the backend',
};

const failuresOf = ({ sign_in_failures }: DayStatistics) =>
  Object.values(sign_in_failures).reduce((before, count) => before + count, 0);

const methodsOf = (days: DayStatistics[]): string[] =>
  [...new Set(days.flatMap(({ sign_ins }) => Object.keys(sign_ins)))].toSorted((a, b) =>
    a.localeCompare(b),
  );

type DayChartProps = {
  title: string;
  /** How many days were asked for. */
  room: number;
  days: DayStatistics[];
  value: (day: DayStatistics) => number;
  total?: string;
};
const DayChart = ({ title, room, days, value, total }: DayChartProps) => (
  <Chart
    days={room}
    title={title}
    points={days.map((day) => ({ label: day.date, value: value(day) }))}
    total={total}
  />
);

const Total = ({ name, value }: { name: string; value: number }) => (
  <Paper withBorder p="md">
    <Text size="sm" c="dimmed">
      {name}
    </Text>
    <Text size="xl" fw={700}>
      {value.toLocaleString('en')}
    </Text>
  </Paper>
);
