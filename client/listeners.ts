import type { Pair } from './token-pair.ts';

/** The signed-in user. */
export type SignedIn = Pick<Pair, 'uid' | 'user'>;

/**
 * Hears every change of the session; with `null` also why it ended: `signed_out`, or the code of the refused refresh,
 * such as `refresh_token_reused`.
 */
export type Listener = (session: SignedIn | null, reason?: string) => void;

/** Who hears every change of a session. A listener that throws keeps it from no other. */
export function keepListeners() {
  const listeners = new Set<Listener>();
  return {
    tell(...event: Parameters<Listener>): void {
      for (const listener of [...listeners]) {
        try {
          listener(...event);
        } catch (error) {
          console.error(error);
        }
      }
    },
    add(listener: Listener): () => void {
      // A function of its own: a listener that is added twice is called twice, and each can be removed alone.
      const subscription: Listener = (...event) => listener(...event);
      listeners.add(subscription);
      return () => {
        listeners.delete(subscription);
      };
    },
    clear: (): void => listeners.clear(),
  };
}
