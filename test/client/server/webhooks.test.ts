import { Webhook } from 'standardwebhooks';
import { describe, expect, test, vi } from 'vitest';
import { type Delivery, verifyWebhook, WebhookError } from '../../../client/server.ts';
import { startReceiver, webhookTools } from '../../support/webhooks.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const receiver = await startReceiver();
const { make, event, deliver } = await webhookTools(world);
const { url, received } = receiver.at();
const { secret, webhook_id } = await make(url);
const sent = event({ data: { user_id: 'ü €' } });
await deliver(sent);
const [delivered] = received();
if (!delivered) throw new Error('Nothing was delivered.');
const { body } = delivered;
const headers: Record<string, string> = Object.fromEntries(
  Object.entries(delivered.headers).map(([name, value]) => [name, String(value)]),
);
const signature = headers['webhook-signature'] ?? '';
const timestamp = Number(headers['webhook-timestamp']);
const others = new Webhook(`whsec_${btoa('another secret, of 32 bytes, yes')}`);
const other = `whsec_${btoa('another secret, of 32 bytes, yes')}`;

const outcomeOf = (delivery: Partial<Record<keyof Delivery, unknown>>): Promise<string> =>
  verifyWebhook({ secret, headers, body, ...delivery } as Delivery).then(
    () => 'accepted',
    (error: unknown) => (error instanceof WebhookError ? error.code : String(error)),
  );

describe('a delivery', () => {
  test('is verified as text and as bytes, with the headers of every runtime', async () => {
    const bodies = [body, Buffer.from(body), new TextEncoder().encode(body)];
    const buffer = new TextEncoder().encode(body).buffer;
    const capital = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    const arrays = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, [value]]),
    );
    for (const each of [...bodies, buffer])
      for (const given of [headers, new Headers(headers), capital, arrays])
        expect(await verifyWebhook({ secret, headers: given, body: each })).toEqual(sent);
  });

  test('is verified with any of several secrets and signatures', async () => {
    expect(await outcomeOf({ secret: [other, secret] })).toBe('accepted');
    expect(await outcomeOf({ secret: [secret, other] })).toBe('accepted');
    expect(await outcomeOf({ secret: secret.slice(6) })).toBe('accepted');
    const { body: renewed } = await world
      .as(world.project.basic)
      .webhooks.rotateSecret({ webhook_id });
    await deliver(event());
    const [, both] = received();
    expect(both?.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    for (const each of [secret, renewed.secret])
      expect(await outcomeOf({ ...both, secret: each })).toBe('accepted');
    expect(await outcomeOf({ ...both, secret: other })).toBe('invalid_signature');
  });

  test('is accepted within the tolerance before and after its time', async () => {
    const at = async (seconds: number, toleranceSeconds?: number) => {
      vi.useFakeTimers({ toFake: ['Date'], now: (timestamp + seconds) * 1_000 });
      return outcomeOf(toleranceSeconds === undefined ? {} : { toleranceSeconds });
    };
    expect([await at(-300), await at(300), await at(9, 10), await at(600, 600)]).toEqual(
      Array.from({ length: 4 }, () => 'accepted'),
    );
    expect([await at(-301), await at(301), await at(11, 10), await at(0, Number.NaN)]).toEqual(
      Array.from({ length: 4 }, () => 'invalid_timestamp'),
    );
  });
});

const headed = (given: Record<string, unknown>) => ({ headers: { ...headers, ...given } });
const mac = signature.slice(3);
const flip = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
const refused: Record<string, [string, Parameters<typeof outcomeOf>[0]]> = {
  'a changed body': ['invalid_signature', { body: body.replace('user.created', 'user.deleted') }],
  'a body with an extra space': ['invalid_signature', { body: `${body} ` }],
  'no body': ['invalid_signature', { body: '' }],
  'another secret': ['invalid_signature', { secret: other }],
  'another id': ['invalid_signature', headed({ 'webhook-id': 'evt-1' })],
  'another time': ['invalid_signature', headed({ 'webhook-timestamp': String(timestamp + 1) })],
  'a time with a fraction': [
    'invalid_timestamp',
    headed({ 'webhook-timestamp': `${timestamp}.5` }),
  ],
  'a time in hex': ['invalid_timestamp', headed({ 'webhook-timestamp': '0x10' })],
  'no time': ['invalid_headers', headed({ 'webhook-timestamp': undefined })],
  'no id': ['invalid_headers', headed({ 'webhook-id': undefined })],
  'no signature': ['invalid_headers', headed({ 'webhook-signature': '' })],
  'two ids': ['invalid_headers', headed({ 'webhook-id': ['a', headers['webhook-id']] })],
  'another signature': ['invalid_signature', headed({ 'webhook-signature': `v1,${flip(mac)}` })],
  'a truncated signature': [
    'invalid_signature',
    headed({ 'webhook-signature': `v1,${mac.slice(4)}` }),
  ],
  'an empty signature': ['invalid_signature', headed({ 'webhook-signature': 'v1,' })],
  'another version': ['invalid_signature', headed({ 'webhook-signature': `v2,${mac}` })],
  'no version': ['invalid_signature', headed({ 'webhook-signature': mac })],
  base64url: ['invalid_signature', headed({ 'webhook-signature': `v1,${mac.slice(0, -1)}` })],
  'a valid signature after 16 wrong ones': [
    'invalid_signature',
    headed({ 'webhook-signature': `${`v1,${flip(mac)} `.repeat(16)}${signature}` }),
  ],
  'no secret': ['invalid_secret', { secret: [] }],
  'an empty secret': ['invalid_secret', { secret: [secret, 'whsec_'] }],
  'an invalid secret': ['invalid_secret', { secret: 'whsec_!' }],
};
test.each(Object.entries(refused))('refuses %s', async (_, [code, delivery]) => {
  expect(await outcomeOf(delivery)).toBe(code);
});

test.each([[JSON.parse(body)], [[...body]], [null], [undefined], [7]])(
  'refuses a body that was already parsed, with an explanation',
  async (parsed: unknown) => {
    const outcome = verifyWebhook({ secret, headers, body: parsed as string });
    await expect(outcome).rejects.toMatchObject({
      code: 'invalid_body',
      message: expect.stringMatching(/as they came.*express\.raw\(\)/),
    });
  },
);

test('agrees with the package of the Standard Webhooks specification', async () => {
  expect(new Webhook(secret).verify(body, headers)).toEqual(sent);
  const at = new Date();
  const signedBy = (text: string) => ({
    secret: other,
    body: text,
    headers: {
      'webhook-id': 'evt-1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': others.sign('evt-1', at, text),
    },
  });
  for (const text of ['{}', '{"type":"user.created"}', `{"a":"${'ü'.repeat(10_000)}"}`])
    expect(await verifyWebhook(signedBy(text))).toEqual(JSON.parse(text));
  await expect(verifyWebhook(signedBy('<html>'))).rejects.toMatchObject({ code: 'invalid_body' });
});
