import type { Pair } from './token-pair.ts';

/** Who is signed in. */
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
      // Of its own: who listens twice is told twice, and stops each alone.
      const subscription: Listener = (...event) => listener(...event);
      listeners.add(subscription);
      return () => {
        listeners.delete(subscription);
      };
    },
    clear: (): void => listeners.clear(),
  };
}
