import { decodeBase64 } from '../base64.ts';
import { type HeaderSource, headerValues } from '../header-values.ts';
import type { FeedEvent } from './follow.ts';

/** The event that a webhook brings. It may come twice, so keep its `id`; and a later event may come first. */
export type WebhookEvent = FeedEvent;

/**
 * The request is not from the service, is too old, or its body was changed before the verification. Answer 401, unless
 * the code is `invalid_secret`.
 */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code:
    | 'invalid_headers'
    | 'invalid_timestamp'
    | 'invalid_signature'
    | 'invalid_body'
    | 'invalid_secret';

  constructor(code: WebhookError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

export type Delivery = {
  /** The webhook's secret, `whsec_…`; or several, while you change from one to another. */
  secret: string | readonly string[];
  headers: HeaderSource;
  /** The body as it came, text or bytes: of a body that was parsed and written again the signature does not fit. */
  body: string | Uint8Array | ArrayBuffer;
  /** Seconds by which the delivery may be old, or ahead of this clock; default 300. */
  toleranceSeconds?: number | undefined;
};

/** A delivery has a signature for each secret of the last day, which are five at most. More only cost time. */
const maxSignatures = 16;

/**
 * Verifies a webhook (Standard Webhooks) and returns its event: `await verifyWebhook({ secret, headers:
 * request.headers, body: await request.text() })`. With Express take `express.raw({ type: 'application/json' })` for
 * the route. Answer 2xx when the event is stored, and work afterwards.
 *
 * @throws WebhookError
 */
export async function verifyWebhook(delivery: Delivery): Promise<WebhookEvent> {
  const { secret, headers, body, toleranceSeconds = 300 } = delivery;
  const content = bytesOf(body);
  const id = only(headers, 'webhook-id');
  const timestamp = only(headers, 'webhook-timestamp');
  const signatures = only(headers, 'webhook-signature');
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookError('invalid_timestamp', 'webhook-timestamp is not in epoch seconds.');
  // So written that a tolerance which is no number refuses everything.
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= toleranceSeconds))
    throw new WebhookError('invalid_timestamp', 'The delivery is too old, or ahead of this clock.');

  const prefix = new TextEncoder().encode(`${id}.${timestamp}.`);
  const data = new Uint8Array(prefix.length + content.length);
  data.set(prefix);
  data.set(content, prefix.length);
  const keys = await importSecrets(typeof secret === 'string' ? [secret] : secret);
  // Compares in constant time.
  for (const signature of signaturesIn(signatures))
    for (const key of keys)
      if (await crypto.subtle.verify('HMAC', key, signature, data)) return parse(content);
  throw new WebhookError('invalid_signature', 'No signature fits the body and a secret.');
}

function bytesOf(body: unknown): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw new WebhookError(
    'invalid_body',
    'The body must be the text or the bytes as they came, not what a framework parsed of them: the signature covers the bytes. With Express use express.raw() for this route.',
  );
}

/** The value of a header that was sent once. */
function only(headers: HeaderSource, name: string): string {
  const [value = '', ...others] = headerValues(headers, name);
  if (value === '' || others.length > 0)
    throw new WebhookError('invalid_headers', `The header ${name} must be there, once.`);
  return value;
}

/** The signatures of version 1; a later version may stand beside them. */
const signaturesIn = (header: string): Uint8Array<ArrayBuffer>[] =>
  header
    .split(' ', maxSignatures)
    .flatMap((each) => (each.startsWith('v1,') ? (decodeBase64(each.slice(3)) ?? []) : []));

function importSecrets(secrets: readonly string[]) {
  const keys = secrets.map((secret) => decodeBase64(secret.replace(/^whsec_/, '')));
  // An empty key would let everybody sign.
  if (keys.length === 0 || !keys.every((key) => key?.length))
    throw new WebhookError('invalid_secret', 'A secret is `whsec_` and base64.');
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return Promise.all(
    keys.map((key) =>
      crypto.subtle.importKey('raw', key as Uint8Array<ArrayBuffer>, algorithm, false, ['verify']),
    ),
  );
}

function parse(content: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content)) as WebhookEvent;
  } catch {
    throw new WebhookError('invalid_body', 'The body is signed, but not JSON.');
  }
}
