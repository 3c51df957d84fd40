import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inRequest } from '#shared/request.ts';
import { removeWorkspaceItems } from '#shared/table/cleanup.ts';
import { query } from '#shared/table/query.ts';
import { keys } from '#shared/table/shape.ts';
import { exception, type Faults, onlyTheFirst, openFaultyTable } from '../../support/faults.ts';

let faults: Faults;
let count = 0;
let id = '';
const request = <T>(work: () => Promise<T>, budget = 20_000) => inRequest('test', budget, work);
/** The sort keys under a workspace. No prefix may be empty: DynamoDB refuses it, dynoxide does not. */
const left = async (of = id) => {
  const prefixes = ['WS', 'MEMBER#', 'INVITE#', 'DOMAIN#'];
  const read = (prefix: string) => query({ partition: keys.workspace(of).pk, prefix });
  const ranges = await request(() => Promise.all(prefixes.map(read)));
  return ranges.flatMap(({ items }) => items.map(({ sk }) => sk));
};
const clean = (budget?: number) => request(() => removeWorkspaceItems(id), budget);

beforeAll(async () => {
  faults = await openFaultyTable();
});
afterAll(() => faults.close());
beforeEach(async () => {
  count += 1;
  id = `wid-${count}`;
  const some = Array.from({ length: 30 }, (_, i) => `u${i}`);
  const items = [
    keys.workspace(id),
    ...some.map((uid) => keys.member(id, uid)),
    ...some.map((uid) => keys.invitation(id, uid)),
    keys.domain(id, 'example.com'),
    keys.member(`${id}0`, 'u1'),
  ];
  await faults.seed(items);
  faults.reset();
});

test('members, invitations and domains go; the workspace itself and its neighbour stay', async () => {
  await clean();
  expect(await left()).toEqual(['WS']);
  expect(await left(`${id}0`)).toEqual(['MEMBER#u1']);
});

test('writes that DynamoDB leaves unprocessed are sent again', async () => {
  const when = ({ operation }: { operation: string }) => operation === 'BatchWriteItem';
  faults.inject(onlyTheFirst(3), { times: 4, when });
  await clean();
  expect(await left()).toEqual(['WS']);
});

test('interrupted anywhere, it goes on where it stopped', async () => {
  const when = ({ operation }: { operation: string }) => operation === 'BatchWriteItem';
  faults.inject(onlyTheFirst(10), { when });
  faults.inject(exception('ValidationException'), { when });
  await expect(clean()).rejects.toMatchObject({ name: 'ValidationException' });
  expect((await left()).length).toBeGreaterThan(1);
  await clean();
  await clean();
  expect(await left()).toEqual(['WS']);
});

test('out of time it fails instead of calling itself done', async () => {
  const when = ({ operation }: { operation: string }) => operation === 'BatchWriteItem';
  faults.inject(onlyTheFirst(0), { times: Infinity, when });
  await expect(clean(300)).rejects.toMatchObject({ code: 'temporarily_unavailable' });
});
