import type { Fetch } from '../call.ts';
import { unlessAborted } from '../pause.ts';
import type { Settings } from '../send.ts';

/** Milliseconds after which a read is given up that has neither ended nor failed: its instance was frozen, its owner ended. */
const lost = 10_000;

/**
 * Asks a secret store once for all, and again after a failure, in place of a read that hangs, or where the service has
 * refused what was read. A text that was never read is given back: it is the credential of somebody else.
 */
function readOnce(read: () => Promise<string>): (refused?: string) => Promise<string> {
  let pendingRead: { at: number; result: Promise<string>; text?: string } | undefined;
  const known = new Set<string>();
  return async (refused) => {
    if (refused !== undefined && !known.has(refused)) return refused;
    if (
      !pendingRead ||
      (pendingRead.text === refused && Math.abs(Date.now() - pendingRead.at) >= lost)
    ) {
      const attempt: typeof pendingRead = { at: Date.now(), result: read() };
      pendingRead = attempt;
      attempt.result.then(
        (text) => {
          attempt.text = text;
          known.add(text);
        },
        () => {
          if (pendingRead === attempt) pendingRead = undefined;
        },
      );
    }
    // The timer is of this call: that of a request which has ended may never fire.
    return unlessAborted(pendingRead.result, AbortSignal.timeout(lost));
  };
}

/** What the client sends with a call. */
type Sent = { headers: { authorization?: string }; signal?: AbortSignal };

/**
 * Shows the service the credential of a secret store. A call that is refused is tried again where the store has
 * another one by now: a process that runs for weeks, or a Lambda instance, outlives a rotation.
 */
export function withSecretOf(
  read: () => Promise<string>,
  send: Fetch,
): Pick<Settings, 'authorization' | 'fetch'> {
  const authorization = readOnce(read);
  return {
    authorization,
    async fetch(input, init) {
      const response = await send(input, init);
      const { headers, signal } = init as Sent;
      const refused = headers.authorization;
      // Without a credential it is about what was sent, such as a wrong password: another try would count too.
      if (response.status === 401 && refused !== undefined) {
        const latest = await unlessAborted(authorization(refused), signal);
        // As a connection that failed: the call is tried again, and a follower waits it out.
        if (latest !== refused) throw new TypeError();
      }
      return response;
    },
  };
}
