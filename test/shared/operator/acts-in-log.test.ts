import { expect, test } from 'vitest';
import { logged } from '../../support/log.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const project_id = 'logged';
const line = {
  operation: 'projects.admin',
  project_id,
  request_id: expect.any(String),
  duration_ms: expect.any(Number),
};

test('each act of the operator is a log line with its project, and with no value', async () => {
  const { result, lines } = await logged(() =>
    world.operate({ action: 'create', project_id, name: 'Confidential' }),
  );
  expect(lines).toEqual([{ ...line, level: 'info', action: 'create' }]);
  const { secret } = result as { secret: string };
  expect(JSON.stringify(lines)).not.toMatch(new RegExp(`Confidential|${secret}`));
});

test('a new project without a given id is named by its own', async () => {
  const { result, lines } = await logged(() => world.operate({ action: 'create', name: 'Acme' }));
  const { project_id: given } = result as { project_id: string };
  expect(lines).toMatchObject([{ action: 'create', project_id: given }]);
});

test('so is one that is refused, with the reason', async () => {
  const { result: message, lines } = await logged(() =>
    world
      .operate({ action: 'revoke-secret', project_id, secret_id: '00000000' })
      .catch((error: Error) => error.message),
  );
  const cause = { name: 'Error', message, stack: expect.any(String) };
  expect(lines).toEqual([{ ...line, level: 'error', action: 'revoke-secret', cause }]);
});

test('so is a request that cannot be read, without what it says', async () => {
  const { lines } = await logged(() =>
    world.operate({ action: 'create', name: 'Acme', Confidential: 'x' }).catch(() => {}),
  );
  const { project_id: _, ...unnamed } = line;
  expect(lines).toEqual([{ ...unnamed, level: 'error', action: 'unreadable' }]);
});
