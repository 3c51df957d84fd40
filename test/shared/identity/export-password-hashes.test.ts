import { expect, test } from 'vitest';
import type { Item } from '#shared/db/item.ts';
import { keys } from '#shared/db/keys.ts';
import { type Call, doneAfter } from '../../faults/fault.ts';
import { unknownId } from '../../support/expectations.ts';
import { startFaultyWorld } from '../../support/faulty-world.ts';

const { faults, world } = await startFaultyWorld();
const { operate } = world;

test('export-password-hashes returns the hashes of users of the project, each with an event', async () => {
  const [project, other] = [await world.newProject(), await world.newProject()];
  const { project_id } = project;
  const backend = world.as(project);
  const hash = `$2b$10$${'.'.repeat(53)}`;
  const imported = async (users: object[], by = backend) =>
    ((await by.users.import({ users })).body as { results: { uid: string }[] }).results.map(
      ({ uid }) => uid,
    );
  const [ada = '', grace = ''] = await imported([
    { email: 'ada@export.example.com', password_hash: hash },
    { email: 'grace@export.example.com' },
  ]);
  const elsewhere = { email: 'ada@export.example.com', password_hash: hash };
  const [stranger = ''] = await imported([elsewhere], world.as(other));
  const uids = [ada, grace, stranger, unknownId];
  const request = { action: 'export-password-hashes', project_id, uids };
  expect(await operate(request)).toEqual({ project_id, hashes: { [ada]: hash } });
  await world.drainStream();
  const events = (await backend.events.list({})).body as {
    result: { type: string; data: object }[];
  };
  const exports = events.result.filter(({ type }) => type === 'user.password_exported');
  expect(exports.map(({ data }) => data)).toEqual([{ user_id: ada }]);
  const strangers = (await world.as(other).events.list({})).body as typeof events;
  expect(strangers.result.map(({ type }) => type)).toEqual(['user.created']);
  await expect(operate({ ...request, uids: [] })).rejects.toThrow('uids');
  await expect(operate({ ...request, project_id: 'nobody' })).rejects.toThrow('does not exist');
});

test('a hash that changes between its read and its event is exported in its new state', async () => {
  const project = await world.newProject();
  const { project_id } = project;
  const at = (cost: number) => `$2b$${cost}$${'.'.repeat(53)}`;
  const users = [{ email: 'changes@export.example.com', password_hash: at(10) }];
  const { body } = await world.as(project).users.import({ users });
  const [{ uid } = { uid: '' }] = (body as { results: { uid: string }[] }).results;
  const stored = await world.table.get(keys.password(uid));
  const request = { action: 'export-password-hashes', project_id, uids: [uid] };
  const isExport = ({ operation, text }: Call) =>
    operation === 'TransactWriteItems' && text.includes('user.password_exported');
  const change = (hash: string) => async () =>
    world.table.put({ ...(stored as Item), ...{ hash } });
  faults.inject(doneAfter(change(at(11))), { when: isExport });
  expect(await operate(request)).toEqual({ project_id, hashes: { [uid]: at(11) } });
  // A user who keeps changing must not be exported as one without a password.
  let n = 0;
  const again = async () => change(at(n++ % 2 === 0 ? 12 : 10))();
  faults.inject(doneAfter(again), { times: 100, when: isExport });
  await expect(operate(request)).rejects.toThrow('keeps changing');
  expect(n).toBe(5);
});
