import { expect, test } from 'vitest';
import { demandOf } from '../../../bench/simulate/demand.ts';
import { functionsAt, lambdaLoad } from '../../../bench/simulate/lambda.ts';
import { asDeployed, deployed } from '../../../bench/simulate/limits.ts';
import { streamAt, tailOf, timeOf } from '../../../bench/simulate/stream.ts';
import { type Request, requests } from '../../../bench/simulate/workload.ts';

const find = (name: string) => requests.find((request) => request.name === name) as Request;
/** Only changes of workspaces, each with one record and one event. */
const onlyEvents: Request[] = [{ ...find('workspaces.update'), part: 1 }];

test('the settings are those of the deployment', () => {
  expect(deployed).toEqual({
    routeRate: 5_000,
    sortBatch: 100,
    sortsPerShard: 4,
    consumers: 50,
    messages: 10,
    recordsOfMessage: 25,
    eventsOfTransaction: 10,
    sideBySide: 4,
  });
});

test('sequential round trips take the sum of their slowest calls', () => {
  // A read and a transaction.
  expect(timeOf(demandOf('members.join', 'Basic'))).toBe(14);
  // A read in parallel with an update, which takes longer.
  expect(timeOf(demandOf('sessions.refresh', 'Refresh'))).toBe(5);
});

test('a feed takes 39 ms for a single event', () => {
  // 15 ms from and to the queue; 4 to read the heads, 10 to publish, 10 to append.
  const { largest } = streamAt(0.1, onlyEvents, 100, asDeployed);
  expect(largest.capacity).toBeCloseTo(1_000 / 39);
});

test('a feed falls behind under more load, but not with more shards', () => {
  const { largest } = streamAt(10_000, onlyEvents, 100, asDeployed);
  expect(largest.busy).toBeGreaterThan(1);
  expect(largest.wait).toBe(Number.POSITIVE_INFINITY);
  const parts = streamAt(10_000, onlyEvents, 100, { ...asDeployed, feedShards: 64 }).largest;
  expect(parts.busy).toBeLessThan(1);
  expect(parts.wait).toBeLessThan(1_000);
});

test('several concurrent messages share the round trips of their events', () => {
  const ten = streamAt(10_000, onlyEvents, 100, asDeployed).largest;
  const one = streamAt(10_000, onlyEvents, 100, { ...asDeployed, messages: 1 }).largest;
  expect(ten.capacity).toBeGreaterThan(5 * one.capacity);
});

test('1 % of the waits of a queue are longer than its tail', () => {
  // A server that is busy half the time: P(wait > t) = 0.5 e^(-t / (2 * service)).
  const wait = tailOf(0.5, 10);
  expect(0.5 * Math.exp((-0.5 * wait) / 10)).toBeCloseTo(0.01);
  expect(tailOf(0.005, 10)).toBe(0);
});

test('the number of running functions is the rate times the duration', () => {
  const functions = [
    { name: 'a', rate: 100, duration: 20, memory: 1_024 },
    { name: 'b', rate: 10, duration: 200, memory: 512 },
  ];
  const load = lambdaLoad(functions);
  expect(load).toMatchObject({ busy: 4, invocations: 110, throttled: 0 });
  // 2 GB-seconds of the one, 1 of the other.
  expect(load.gigabyteSeconds).toBeCloseTo(3);
  expect(load.cold).toBeCloseTo(0);
});

test('an account with 1,000 concurrent functions throttles the rest', () => {
  const flood = { name: 'a', rate: 4_000, duration: 500, memory: 1_024 };
  const { throttled, scaling } = lambdaLoad([flood]);
  expect(throttled).toBe(0.5);
  // A function gains 1,000 instances in 10 s.
  expect(scaling).toBeCloseTo(21.39);
});

test('a function that is called once an hour has a cold start nearly every time', () => {
  const rare = { name: 'a', rate: 1 / 3_600, duration: 10, memory: 1_024 };
  expect(lambdaLoad([rare]).cold).toBeCloseTo(Math.exp(-1 / 6));
});

test('the wait for the table extends the duration of functions', () => {
  const stream = streamAt(10, requests, 4, asDeployed);
  const durationOf = (extra: number) =>
    functionsAt(10, requests, stream, extra).find(({ name }) => name === 'users.getMe')?.duration;
  expect(durationOf(0)).toBe(7);
  expect(durationOf(100)).toBe(107);
});
