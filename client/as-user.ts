import { isStale } from './api-error.ts';
import type { Verb } from './call.ts';
import { bearer } from './client.ts';
import { unlessAborted } from './pause.ts';
import type { TokenOptions } from './reserve.ts';
import { newKey } from './send.ts';

/** What a page has of a session. */
type Tokens = { uid: string; access_token: string };

type Source<T> = {
  ready: Promise<unknown>;
  /** The user whom the page shows. */
  shown(): string | undefined;
  /** The tokens, if they are valid for a while and are not `refused`; otherwise new ones. */
  fresh(refused?: string): Promise<T | undefined>;
  /** New tokens in place of those that the service refused. */
  renew(current: T): Promise<T | undefined>;
};

/** Thrown when another user has signed in meanwhile: no call may go on as them. A phone has no DOMException. */
export const overtakenError = () => Object.assign(new Error('Overtaken'), { name: 'AbortError' });

/** Makes the functions that act as the user whom the page shows. */
export function asUser<T extends Tokens>({ ready, shown, fresh, renew }: Source<T>) {
  /** The tokens of that user. */
  async function own(signal?: AbortSignal, refused?: string): Promise<T | undefined> {
    await unlessAborted(ready, signal);
    const uid = shown();
    const tokens = await unlessAborted(fresh(refused), signal);
    if (uid !== undefined && tokens && tokens.uid !== uid) throw overtakenError();
    return tokens;
  }

  /** A call of the service as that user, with tokens that are renewed where it refuses them. */
  const authorized =
    (verb: Verb): Verb =>
    async (input, call = {}) => {
      if (call.authorization !== undefined) return verb(input, call);
      // One for both tokens: while the answer to a change was lost, as in a sleep, the first may have expired.
      const { idempotencyKey = newKey() } = call;
      const send = (tokens: T | undefined) =>
        verb(input, {
          ...call,
          idempotencyKey,
          authorization: tokens && bearer(tokens.access_token),
        });
      const current = await own(call.signal);
      try {
        return await send(current);
      } catch (error) {
        const next =
          current && isStale(error) && (await unlessAborted(renew(current), call.signal));
        if (!next || next.uid !== current?.uid) throw error;
        return send(next);
      }
    };
  const getAccessToken = async ({ refused }: TokenOptions = {}) =>
    (await own(undefined, refused))?.access_token;
  return { getAccessToken, authorized };
}
