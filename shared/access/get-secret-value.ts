import { setTimeout as sleep } from 'node:timers/promises';
import { createClock } from '../db/transport/clock.ts';
import type { HttpAnswer } from '../db/transport/http.ts';
import { placeIn } from '../db/transport/place.ts';
import { createSigner } from '../db/transport/sign.ts';
import { signedPost } from '../db/transport/signed-post.ts';
import { env } from '../model/env.ts';

const attempts = 3;
/** Milliseconds of one attempt. */
const bounds = { connection: 300, response: 1_000 };

const clock = createClock();

/**
 * Reads the text of a secret; empty if it holds bytes. Retries what may pass. Rejects with the last failure, which has
 * the name that Secrets Manager gave it.
 *
 * It does without the SDK's client, which every sign-in of a new instance would read: 140 KB for one call.
 */
export async function getSecretValue(SecretId: string, signal: AbortSignal): Promise<string> {
  const place =
    env.tableTransport() === 'sdk' ? undefined : placeIn(env.ofRuntime(), 'secretsmanager');
  if (!place) return (await import('./sdk-secret-value.ts')).getSecretValueBySdk(SecretId, signal);
  const sign = createSigner(place.region, 'secretsmanager');
  const call = {
    target: 'secretsmanager.GetSecretValue',
    contentType: 'application/x-amz-json-1.1',
    body: JSON.stringify({ SecretId }),
  };
  for (let attempt = 1; ; attempt += 1) {
    const last = attempt === attempts;
    const signed = clock.now();
    try {
      const answer = await signedPost(place, sign, clock, call, signal, bounds);
      if (answer.statusCode === 200) return textOf(answer);
      if (last || !(clock.corrects(answer, signed) || isTransient(answer))) throw refusal(answer);
    } catch (error) {
      if (last || signal.aborted || error instanceof Refusal) throw error;
    }
    await sleep(Math.random() * 100 * 2 ** (attempt - 1), undefined, { signal });
  }
}

const textOf = ({ body }: HttpAnswer): string =>
  (JSON.parse(body.toString()) as { SecretString?: string }).SecretString ?? '';

const isTransient = ({ statusCode, body }: HttpAnswer): boolean =>
  statusCode >= 500 || statusCode === 429 || /Throttl|TooManyRequests/.test(body.toString());

/** Secrets Manager has said no. */
class Refusal extends Error {}

/** Only the name of the failure: no text of a response that may hold a secret comes into the log. */
function refusal({ statusCode, body }: HttpAnswer): Refusal {
  const name = /"__type":"(?:[\w.]+#)?(\w+)"/.exec(body.toString())?.[1] ?? 'Unknown';
  return Object.assign(new Refusal(`Secrets Manager answered ${statusCode}.`), { name });
}
