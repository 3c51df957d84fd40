/** Holds one text, such as over `localStorage`; tabs may share it. */
export type AuthStorage = {
  get(): string | null;
  set(value: string): void;
  delete(): void;
};

/**
 * Opens the place where the session is at rest. 'session' is the tab's `sessionStorage`, and memory where there is no
 * page: a server must not keep the session of one visitor where the next request finds it.
 *
 * It is memory from the moment that the storage throws, as where a browser blocks it, it is full, or a server has none.
 * The first change after that, and each sign-out, deletes what the storage still has: a reload would find a session
 * that has been signed out or replaced. Another change deletes nothing, because by then another tab may have stored its
 * session.
 */
export function openStorage(choice: 'memory' | 'session' | AuthStorage, name: string): AuthStorage {
  const storage = choice === 'session' ? ofTab(name) : choice === 'memory' ? undefined : choice;
  let isMemory = !storage;
  let isLeft = false;
  let text: string | null = null;
  const attempt = <T>(work: (storage: AuthStorage) => T): T | undefined => {
    try {
      if (storage && !isMemory) return work(storage);
    } catch {
      isMemory = true;
    }
    return undefined;
  };
  const leave = (): void => {
    isLeft = true;
    try {
      storage?.delete();
    } catch {}
  };
  return {
    get: () => attempt((place) => place.get()) ?? text,
    set: (value) => {
      attempt((place) => place.set(value));
      if (!isMemory) return;
      text = value;
      if (!isLeft) leave();
    },
    delete: () => {
      attempt((place) => place.delete());
      if (!isMemory) return;
      text = null;
      leave();
    },
  };
}

function ofTab(name: string): AuthStorage | undefined {
  try {
    // The property itself throws where the browser blocks it.
    const storage = isPage() && sessionStorage;
    if (storage)
      return {
        get: () => storage.getItem(name),
        set: (value) => storage.setItem(name, value),
        delete: () => storage.removeItem(name),
      };
  } catch {}
  return undefined;
}

/** Whether this is a page of a browser, which belongs to one person. */
export const isPage = (): boolean => 'document' in globalThis;
