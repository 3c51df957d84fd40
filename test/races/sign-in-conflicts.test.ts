import { expect, test } from 'vitest';
import { exception, type Fault, lostAnswers } from '../faults/fault.ts';
import { startFaultyWorld } from '../support/faulty-world.ts';
import { times } from './many.ts';
import { itemsOf, limitedScene, sessionsOf } from './scene.ts';

// Work in the background of a request, or after it, which may fail separately.
const { faults, world } = await startFaultyWorld();

test('a session starts although the oldest cannot be ended, and the next start ends two', async () => {
  const { uid } = await world.user();
  await times(49, () => world.session(uid));
  const when = ({ operation, body }: { operation: string; body: object }) =>
    operation === 'TransactWriteItems' && JSON.stringify(body).includes('"Delete"');
  faults.inject(exception('ThrottlingException'), { times: Infinity, when });
  const { bearer } = await world.session(uid);
  faults.reset();
  expect((await world.call('GET', '/users/me', bearer)).status).toBe(200);
  expect(await sessionsOf(world, uid)).toHaveLength(51);
  await world.session(uid);
  expect(await sessionsOf(world, uid)).toHaveLength(50);
});

test('a mail whose sender loses the responses to its writes is sent once', async () => {
  const at = await limitedScene(world);
  await at.post('/codes', { email: at.email });
  for (const fault of ['reset after it was done', 'half an answer', 'a 500 after it was done'])
    faults.inject(lostAnswers[fault] as Fault, {
      when: ({ operation }) => operation === 'UpdateItem',
    });
  expect((await at.mailTo(at.email))?.to).toBe(at.email);
  expect(world.mails().filter(({ to }) => to === at.email)).toHaveLength(1);
  const mails = (await itemsOf(world, at.project_id)).filter(({ sk }) => sk === 'MAIL');
  expect(mails).toMatchObject([{ outcome: 'sent' }]);
});
