/** @module-tag engine */
import { beforeEach, describe, expect, test } from 'vitest';
import { routes } from '#shared/contract/api.ts';
import { isPublicByProject } from '#shared/contract/route.ts';
import { keys } from '#shared/db/keys.ts';
import type { ApiError } from '#shared/model/errors.ts';
import { rates } from '#shared/model/rates.ts';
import { throttle } from '#shared/model/throttle.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';

const { max, seconds } = rates.projectDoor;
const door = 'passwords.signIn';
const faults = await openFaultyTable();
const { countDoorRequest, newDoorRateLimit } = await import('#shared/access/door-rate-limit.ts');
let project = 0;
let now: Date;
beforeEach(() => {
  project += 1;
  now = new Date('2026-11-22T09:00:03.000Z');
  faults.reset();
});
const window = () => Math.floor(now.getTime() / 1_000 / seconds);
const keyOf = (id: string) => keys.rate('projectDoor', `${id} ${door}`, window());
/** Sets the project's counter as if other instances had already counted this many requests. */
const counted = (id: string, count: number) => faults.seed([{ ...keyOf(id), count }]);

type Instance = ReturnType<typeof newDoorRateLimit>;
type Rate = 'networkDoor' | 'projectDoor';
/** The number of concurrent requests that are allowed. */
async function admit(instance: Instance, id: string, count: number, rate: Rate = 'projectDoor') {
  const requests = Array.from({ length: count }, () =>
    request(() => instance(rate, `${id} ${door}`, now)),
  );
  const refused = (await Promise.allSettled(requests)).filter(
    ({ status }) => status === 'rejected',
  );
  const reason = { code: 'too_many_requests', retryAfter: 7 };
  for (const each of refused) expect(each).toMatchObject({ reason });
  return count - refused.length;
}

test('the first request of a window costs no write; each later write counts as many as came before', async () => {
  const instance = newDoorRateLimit();
  const costs: number[] = [];
  for (let i = 0; i < 200; i += 1) {
    faults.reset();
    await admit(instance, `p${project}`, 1);
    if (faults.calls.length > 0) costs.push(i + 1);
    expect(faults.calls.length).toBeLessThanOrEqual(1);
  }
  expect(costs).toEqual([2, 3, 5, 9, 17, 33, 65, 129, 193]);
  now = new Date(now.getTime() + seconds * 1_000);
  faults.reset();
  await admit(instance, `p${project}`, 1);
  expect(faults.calls).toEqual([]);
});

test('the first eight requests of a network cost no write, and it has a share of its own', async () => {
  const instance = newDoorRateLimit();
  const costs: number[] = [];
  let admitted = 0;
  for (let i = 0; i < 300; i += 1) {
    faults.reset();
    admitted += await admit(instance, `p${project}`, 1, 'networkDoor');
    if (faults.calls.length > 0) costs.push(i + 1);
  }
  expect(costs).toEqual([9, 17, 33, 65, 129, 193, 257]);
  expect(admitted).toBe(256);
  expect(await admit(instance, `p${project}`, 1)).toBe(1);
});

test('a request counts for its network first; what is refused there does not count for the project', async () => {
  const [id, full] = [`p${project}`, `p${project} full`];
  const ask = (address: string, project_id = id) =>
    request(async (context) => {
      const counting = countDoorRequest(project_id, door, address, now);
      const refusal = await counting.catch(({ detail }: ApiError) => detail);
      // The log names the project of a flood by it.
      expect(context.subject).toEqual({ project_id });
      return refusal ?? 'admitted';
    });
  const ofAttacker = keys.rate('networkDoor', `${id} ${door} 2001:db8:9::/48`, window());
  await faults.seed([{ ...ofAttacker, count: rates.networkDoor.max }]);
  const answers: string[] = [];
  for (let i = 0; i < 20; i += 1) answers.push(await ask(`2001:db8:9:${i}::1`));
  expect(answers.slice(0, 8)).toEqual(Array.from({ length: 8 }, () => 'admitted'));
  expect(new Set(answers.slice(8))).toEqual(new Set([rates.networkDoor.detail]));
  expect(await ask('203.0.113.9')).toBe('admitted');
  await counted(full, max);
  expect(await ask('203.0.113.9', full)).toBe('admitted');
  expect(await ask('198.51.100.10', full)).toBe(rates.projectDoor.detail);
});

test('several instances allow one share, plus at most one request each, and then refuse without a call', async () => {
  const instances = Array.from({ length: 5 }, () => newDoorRateLimit());
  let all = 0;
  for (let i = 0; i < 4; i += 1)
    for (const instance of instances) all += await admit(instance, `p${project}`, 100);
  expect(all).toBeLessThanOrEqual(max + instances.length);
  expect(all).toBeGreaterThan(max / 2);
  faults.reset();
  for (const instance of instances) expect(await admit(instance, `p${project}`, 100)).toBe(0);
  expect(faults.calls).toEqual([]);
});

test('a project over its share is refused until the next window, and another one is not affected', async () => {
  const [flooded, other] = [`p${project} flooded`, `p${project} other`];
  await counted(flooded, max);
  const instance = newDoorRateLimit();
  expect(await admit(instance, flooded, 50)).toBe(1);
  expect(await admit(instance, other, 50)).toBe(50);
  now = new Date(now.getTime() + seconds * 1_000);
  expect(await admit(instance, flooded, 50)).toBe(50);
});

test('the rest of a share stays unused if the next write of an instance would count more', async () => {
  await counted(`p${project}`, max - 2);
  // The first request, and one counted separately; the next write would count two.
  expect(await admit(newDoorRateLimit(), `p${project}`, 10)).toBe(2);
  expect(faults.calls).toHaveLength(2);
});

describe('the limited routes', () => {
  test('are all those that name a project and take no credential', () => {
    const doors = routes.filter(isPublicByProject).map(({ name }) => name);
    expect(doors.sort()).toEqual([
      ...['codes.start', 'codes.verify'],
      ...['factors.confirmEnrolment', 'factors.signIn', 'factors.startEnrolment'],
      'identities.signIn',
      ...['links.showCode', 'links.signIn', 'links.start'],
      ...['passkeys.signIn', 'passkeys.startSignIn'],
      ...['passwords.forgot', 'passwords.set', 'passwords.signIn', 'passwords.signUp'],
      'providers.signIn',
    ]);
  });

  test('of fifty projects fit into the throttle of API Gateway', () => {
    expect(throttle.rate).toBeGreaterThanOrEqual((50 * max) / seconds);
  });
});
