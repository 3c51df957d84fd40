import type { Clock } from './clock.ts';
import { type Bounds, type HttpAnswer, post } from './http.ts';
import type { Place } from './place.ts';
import type { createSigner } from './sign.ts';

/** A call in AWS's JSON protocol. */
export type JsonCall = {
  /** Value of `x-amz-target`: the service and its operation. */
  target: string;
  contentType: string;
  body: string;
};

/** Signs a call, by the credentials and the time of the moment, and POSTs it to the service's place. */
export async function signedPost(
  { url, credentials }: Pick<Place, 'url' | 'credentials'>,
  sign: ReturnType<typeof createSigner>,
  clock: Clock,
  { target, contentType, body }: JsonCall,
  signal: AbortSignal | undefined,
  bounds?: Bounds,
): Promise<HttpAnswer> {
  const signed = sign({ host: url.host, target, body }, await credentials(), clock.now());
  const headers = { 'content-type': contentType, 'x-amz-target': target, ...signed };
  return post({ to: url, headers, body }, signal, bounds);
}
