import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { monthly, totalOf, tracesOf, unitsAt } from '../../../bench/simulate/costs.ts';
import { gigabyteSecond, idle, logs, prices } from '../../../bench/simulate/prices.ts';
import { type Request, requests } from '../../../bench/simulate/workload.ts';

const page = readFileSync(new URL('../../../docs/operate/costs.md', import.meta.url), 'utf8');

test('a month of one GET /users/me per second costs the hand-computed sum', () => {
  const me = requests.find(({ name }) => name === 'users.getMe') as Request;
  const units = unitsAt(1, [{ ...me, part: 1 }]);
  expect(units).toEqual({ read: 2, write: 0 });
  const costs = monthly({
    requests: 1,
    ...units,
    lambda: { invocations: 1, gigabyteSeconds: 0.01 },
    stream: { messages: 0, events: 0 },
    traces: 0.05,
  });
  // 2,592,000 requests.
  const expected = {
    dynamodb: 0.648,
    gateway: 2.592,
    lambda: 0.5184 + 0.3456,
    queue: 0,
    bus: 0,
    logs: 1.5552,
    traces: 0.648,
    idle: 2.55,
  };
  for (const [name, dollars] of Object.entries(expected))
    expect(costs[name as keyof typeof costs], name).toBeCloseTo(dollars, 4);
  expect(totalOf(costs)).toBeCloseTo(8.8572, 4);
});

test('a change includes the costs of its event and of the work that follows', () => {
  const change = requests.find(({ name }) => name === 'workspaces.update') as Request;
  // Its own 3 and 1; the event 2 and 8; the lookup of webhooks 1 and 0.
  expect(unitsAt(10, [{ ...change, part: 0.5 }])).toEqual({ read: 30, write: 45 });
});

test('X-Ray traces the first call of a function per second and 5 % of the others', () => {
  const traces = (rate: number) => tracesOf([{ name: 'a', rate, duration: 1, memory: 1_024 }]);
  expect(traces(0.001)).toBeCloseTo(0.001, 5);
  expect(traces(100)).toBeCloseTo(1 + 0.05 * 99);
});

test('the prices are those of docs/operate/costs.md', () => {
  const perMillion = prices.invocation + 0.01 * gigabyteSecond * 1e6;
  for (const text of [
    `API Gateway is counted at $${prices.request.toFixed(2)} and Lambda at $${perMillion.toFixed(2)} a million`,
    `EventBridge, at $${prices.event.toFixed(2)}, instead of API Gateway`,
    `passes a queue, at $${(3 * prices.queueCall).toFixed(2)} a million`,
    `| logs, some ${logs.perRequest} KB a request (an estimate) | ${(logs.perRequest * logs.gigabyte).toFixed(2)} |`,
    `X-Ray bills $${prices.trace.toFixed(2)} for a million traces`,
  ])
    expect(page).toContain(text);
  // Six secrets, and the calls of the queues.
  expect(page).toContain('Six secrets: $2.40');
  expect(idle).toBe(2.55);
});
