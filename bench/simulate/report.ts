import { table } from '../report.ts';
import { type Costs, totalOf } from './costs.ts';
import { asDeployed, aws, type Setup } from './limits.ts';
import type { Resource } from './resources.ts';
import { highestRate, type Result, simulate } from './simulate.ts';

/** The growth steps of a deployment, each in addition to the ones before. */
const steps: { name: string; change: Partial<Setup> }[] = [
  { name: 'as deployed', change: {} },
  { name: '500 invocations of stream.consume', change: { consumers: 500 } },
  { name: 'feed in 8 parts', change: { feedShards: 8 } },
  { name: 'quota of the table 100,000 units', change: { tableQuota: 2.5 * aws.tableQuota } },
];

/** The setup after so many steps. */
const setupAfter = (count: number): Setup =>
  Object.assign({ ...asDeployed }, ...steps.slice(0, count).map(({ change }) => change)) as Setup;
export const grown: Setup = setupAfter(steps.length);

type Column = { head: string; result: Result };

/** The tables of docs/evidence/scale.md. */
export function scaleReport(seed: number): string {
  const columns: Column[] = [
    ...[1, 100, 10_000].map((rate) => column(rate, asDeployed, number(rate))),
    column(10_000, grown, '10,000, all steps'),
  ];
  return [
    measures(columns),
    'What is used of each limit, in percent; above 100 it throttles or falls behind:',
    limits(columns),
    'Dollars a month:',
    costs(columns.map(({ head, result }) => ({ head, costs: result.costs }))),
    'The highest rate at which nothing is above its limit:',
    growth(),
  ].join('\n\n');

  function column(rate: number, setup: Setup, head: string): Column {
    return { head, result: simulate(rate, setup, seed) };
  }
  function growth(): string {
    const rows = steps.map(({ name }, i) => {
      const { rate, next } = highestRate(setupAfter(i + 1), seed);
      return [i === 0 ? name : `+ ${name}`, number(rate), next.name];
    });
    return table(['setup', 'requests/s', 'next limit'], rows);
  }
}

/** The tables of one rate. */
export function rateReport(rate: number, setup: Setup, seed: number): string {
  const columns = [{ head: number(rate), result: simulate(rate, setup, seed) }];
  const items = columns[0]?.result.resources.flatMap(({ name, item }) =>
    item ? [`${name}: ${item}`] : [],
  );
  const all = columns.map(({ head, result }) => ({ head, costs: result.costs }));
  return [measures(columns), limits(columns), (items ?? []).join('\n'), costs(all)].join('\n\n');
}

function measures(columns: readonly Column[]): string {
  const row = (name: string, cell: (result: Result) => string) => [
    name,
    ...columns.map(({ result }) => cell(result)),
  ];
  return table(
    ['requests/s', ...columns.map(({ head }) => head)],
    [
      row('fullest limit', ({ resources: [first] }) => first?.name ?? ''),
      row('used', ({ resources: [first] }) => percent(first?.used ?? 0)),
      row('fullest item', (result) => fullestItem(result).item ?? ''),
      row('used of its limit', (result) => percent(fullestItem(result).used)),
      row('p99 queueing of all requests, ms', ({ queueing }) => number(queueing.all)),
      row('p99 queueing in the largest workspace, ms', ({ queueing }) => number(queueing.largest)),
      row('throttled, first hour of a new table', ({ throttled }) => percent(throttled.firstHour)),
      row('throttled, when partitions are split', ({ throttled }) => percent(throttled.settled)),
      row('partitions and shards of the stream', ({ partitions }) => number(partitions)),
      row('events/s', ({ stream }) => number(stream.events)),
      row('events/s of the largest part of a feed', ({ stream: { largest } }) =>
        number(largest.events),
      ),
      row('of at most', ({ stream: { largest } }) => number(largest.capacity)),
      row('p99 wait of its messages, ms', ({ stream: { largest } }) =>
        Number.isFinite(largest.wait) ? number(largest.wait) : 'grows',
      ),
      row('functions at once that it takes', ({ lambda }) => number(lambda.peak)),
      row('seconds until they have started', ({ lambda }) => number(lambda.scaling)),
      row('cold starts', ({ lambda }) => percent(lambda.cold)),
      row('dollars a month', ({ costs: all }) => number(totalOf(all))),
    ],
  );
}

/** The item that uses most of a limit, without its owner, which is the largest. */
function fullestItem({ resources }: Result): Pick<Resource, 'item' | 'used'> {
  const found = resources.find(({ item }) => item !== undefined);
  return { item: found?.item?.replace(/ of .*$/, ''), used: found?.used ?? 0 };
}

function limits(columns: readonly Column[]): string {
  const names = columns.at(-1)?.result.resources.map(({ name }) => name) ?? [];
  const rows = names.map((name) => [
    name,
    ...columns.map(({ result: { resources } }) => {
      const used = resources.find((resource) => resource.name === name)?.used ?? 0;
      return (100 * used).toFixed(used < 0.1 ? 1 : 0);
    }),
  ]);
  return table(['limit', ...columns.map(({ head }) => head)], rows);
}

function costs(columns: readonly { head: string; costs: Costs }[]): string {
  const names: Record<keyof Costs, string> = {
    dynamodb: 'DynamoDB',
    gateway: 'API Gateway',
    lambda: 'Lambda',
    queue: 'SQS',
    bus: 'EventBridge',
    logs: 'CloudWatch Logs',
    traces: 'X-Ray',
    idle: 'what is billed by time',
  };
  const rows = (Object.keys(names) as (keyof Costs)[]).map((name) => [
    names[name],
    ...columns.map((each) => number(each.costs[name])),
  ]);
  return table(['service', ...columns.map(({ head }) => head)], rows);
}

const percent = (part: number): string => `${number(100 * part)} %`;

/** With thousands separators; below ten with one digit after the point, unless it is whole. */
const number = (value: number): string =>
  value.toLocaleString('en-US', {
    maximumFractionDigits: Math.abs(value) < 10 ? 1 : 0,
  });
