import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { keys } from '#shared/table/shape.ts';
import { aTime } from '../../support/expectations.ts';
import { pass } from '../../support/started.ts';
import { skipShortWaits, startReceiver, webhookTools } from '../../support/webhooks.ts';
import { startWorld, type TestProject } from '../../support/world.ts';

const world = await startWorld();
const receiver = await startReceiver();
const { make, event, deliver, send, attempts, get } = await webhookTools(world);
const waits = skipShortWaits();

/** Each test has a project of its own: an event goes to every webhook of one. */
let project: TestProject;
beforeEach(async () => {
  project = await world.newProject();
});
afterEach(() => vi.useRealTimers());

const ours = (given: Parameters<typeof event>[0] = {}) =>
  event({ project_id: project.project_id, ...given });
const deliveryOf = (webhook_id: string, event_id: string) =>
  world.table.get(keys.delivery(webhook_id, event_id));
const verified = (secret: string, { headers, body }: { headers: object; body: string }) =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

describe('an event', () => {
  test('arrives signed, byte for byte what was signed, by its id', async () => {
    const { url, received } = receiver.at();
    const { secret, ...webhook } = await make(url, { project });
    const sent = ours({ data: { user_id: 'ü €', n: 1.5 } });
    await deliver(sent);
    const [first, ...others] = received();
    expect(others).toEqual([]);
    expect(verified(secret, first!)).toEqual(sent);
    expect(first!.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'identity-workspace-webhooks',
      'webhook-id': sent.id,
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'webhook-signature': expect.stringMatching(/^v1,[\w+/]{43}=$/),
    });
    expect(await attempts(webhook, project)).toEqual([
      {
        event_id: sent.id,
        type: 'user.created',
        attempt: 1,
        attempted_at: aTime(),
        status_code: 204,
      },
    ]);
    expect(await get(webhook, project)).toEqual(webhook);
  });
});
