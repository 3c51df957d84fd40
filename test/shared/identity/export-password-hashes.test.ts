import { expect, test } from 'vitest';
import { nobody } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const operate = async (request: object) =>
  (await world.operate(request)) as { project_id: string; secret: string };

test('export-password-hashes returns the hashes of users of the project, each with an event', async () => {
  const [{ project_id, secret }, other] = [
    await operate({ action: 'create', name: 'Exported' }),
    await world.newProject(),
  ];
  const backend = world.as(world.basic({ project_id, secret }));
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
  const uids = [ada, grace, stranger, nobody];
  const request = { action: 'export-password-hashes', project_id, uids };
  expect(await operate(request)).toEqual({ project_id, hashes: { [ada]: hash } });
  await world.drainStream();
  const events = (await backend.events.list({})).body as {
    result: { type: string; data: object }[];
  };
  const told = events.result.filter(({ type }) => type === 'user.password_exported');
  expect(told.map(({ data }) => data)).toEqual([{ user_id: ada }]);
  const strangers = (await world.as(other).events.list({})).body as typeof events;
  expect(strangers.result.map(({ type }) => type)).toEqual(['user.created']);
  await expect(operate({ ...request, uids: [] })).rejects.toThrow('uids');
  await expect(operate({ ...request, project_id: 'nobody' })).rejects.toThrow('does not exist');
});
