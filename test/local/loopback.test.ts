import { expect, onTestFinished, test } from 'vitest';
import { startBus } from '../../local/aws/eventbridge.ts';
import { startSchedules } from '../../local/aws/scheduler.ts';
import { startSecrets } from '../../local/aws/secrets-manager.ts';
import { startOutbox } from '../../local/aws/ses.ts';
import { startQueues } from '../../local/aws/sqs.ts';
import { atHost } from '../support/at-host.ts';

/** The servers that the SDKs call on this machine. They verify no signature. */
const emulated = {
  EventBridge: () => startBus({ name: 'events' }),
  SES: () => startOutbox(),
  SQS: () => startQueues(),
  'EventBridge Scheduler': () =>
    startSchedules({ group: 'group', invoke: () => Promise.resolve() }),
  'Secrets Manager': () => startSecrets('name', { plain: ['plain'] }),
};

test.each(Object.entries(emulated))(
  '%s responds to the names of this machine only, not to a foreign name that resolves to it (DNS rebinding)',
  async (_, start) => {
    const { endpoint, close } = await start();
    onTestFinished(close);
    const { port } = new URL(endpoint);
    const ask = (host: string) => atHost(endpoint, host, '/', { method: 'POST' });
    for (const own of ['127.0.0.1', 'localhost', '[::1]'])
      expect((await ask(`${own}:${port}`)).status).not.toBe(421);
    for (const foreign of ['evil.example.com', 'localhost.evil.example.com', '127.0.0.1.evil.com'])
      expect(await ask(`${foreign}:${port}`)).toMatchObject({ status: 421, body: '' });
  },
);
