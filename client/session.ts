import { keepListeners, type SignedIn } from './listeners.ts';
import type { AuthStorage } from './storage.ts';
import { joinTabs, type Message } from './tabs.ts';
import { type Pair, parse } from './token-pair.ts';

/** Keeps the session of a browser in the storage, the same in all tabs, and notifies listeners of changes. */
export function keepSession(storage: AuthStorage, name: string, shared: boolean) {
  const listeners = keepListeners();
  let text: string | null = null;
  let pair: Pair | undefined;
  let snapshot: SignedIn | null = null;
  let snapshotKey = '';
  /** When the pair was asked for, on the clock that nobody can set; milliseconds. */
  let askedAt = 0;
  /** When the last session that ended had started: a tab that has not heard of it yet may still tell its pair. */
  let endedSince = 0;
  let onAnswer = () => {};
  let waiters: (() => void)[] = [];

  /** The pair as the storage has it: another tab may have changed it. */
  function read(reason = 'signed_out'): Pair | undefined {
    const storedText = storage.get();
    if (storedText === text) return pair;
    text = storedText;
    pair = parse(storedText);
    const age = Date.now() - (pair?.at ?? 0);
    // Where the other clock has been set back since, nobody knows.
    askedAt = performance.now() - (age < 0 ? Infinity : age);
    for (const resolve of waiters) resolve();
    waiters = [];
    const key = pair ? JSON.stringify([pair.id, pair.user]) : '';
    if (key !== snapshotKey) {
      snapshotKey = key;
      snapshot = pair ? { uid: pair.uid, user: pair.user } : null;
      if (snapshot) listeners.tell(snapshot);
      else listeners.tell(null, reason);
    }
    return pair;
  }

  function write(next: Pair): void {
    storage.set(JSON.stringify(next));
    read();
  }

  function forget({ id, since }: Pick<Pair, 'id' | 'since'>, reason?: string): void {
    endedSince = Math.max(endedSince, since);
    if (read(reason)?.id !== id) return;
    storage.delete();
    read(reason);
  }

  function hear({ pair: otherPair, ended, reason }: Message): void {
    const ownPair = read(reason);
    if (ended) forget(ended, reason);
    else if (otherPair) {
      const isLater =
        ownPair?.id === otherPair.id
          ? otherPair.turn > ownPair.turn
          : otherPair.since > Math.max(endedSince, ownPair?.since ?? 0);
      if (isLater) write(otherPair);
      onAnswer();
    } else if (ownPair) tabs.tell({ pair: ownPair });
  }

  const tabs = joinTabs(name, shared, hear);

  /** Milliseconds that the access token is still good for. One clock stops in a sleep, the other can be set. */
  const left = (): number =>
    pair ? pair.life - Math.max(Date.now() - pair.at, performance.now() - askedAt) : 0;

  return {
    read,
    /** When a session begins, by the clock at its start: later than any before it, also if the clock was set back. */
    after: (at: number): number => Math.max(at, endedSince + 1, (read()?.since ?? 0) + 1),
    alone: tabs.alone,
    snapshot: () => snapshot,
    listen: listeners.add,
    left,
    /** Resolves when the pair is another one. */
    changed: (): Promise<void> => new Promise((resolve) => waiters.push(resolve)),
    /** Takes a pair, here and in the other tabs. */
    take(next: Pair): void {
      write(next);
      tabs.tell({ pair: next });
    },
    /** Ends a session, here and in the other tabs: no refresh that is under way brings it back. */
    end({ id, since }: Pair, reason: string): void {
      forget({ id, since }, reason);
      tabs.tell({ ended: { id, since }, reason });
      // A session that the service refuses may have been followed by another one, of which this tab did not hear.
      if (reason !== 'signed_out') tabs.tell({});
    },
    /**
     * Resolves when it is known whether there is a session. `ask`: the other tabs may have it, or a later one, for
     * which a pair that is still good does not wait.
     */
    restore: (ask: boolean): Promise<void> =>
      new Promise((resolve) => {
        onAnswer = resolve;
        if (ask) tabs.tell({});
        // A tab that was closed a day ago and comes back has an old pair, whose use would end the session.
        if ((read() && left() > 0) || !ask || !tabs.open) resolve();
        // Milliseconds. A tab that answers later is still heard.
        else setTimeout(resolve, 100);
      }),
    close(): void {
      listeners.clear();
      tabs.close();
    },
  };
}
