/** Holds one text, such as over `localStorage`; tabs may share it. */
export type AuthStorage = {
  get(): string | null;
  set(value: string): void;
  delete(): void;
};

/**
 * Opens the place where the session is at rest. 'session' is the tab's `sessionStorage`, and memory where there is no
 * page: a server must not keep the session of one visitor where the next request finds it.
 */
export function openStorage(choice: 'memory' | 'session' | AuthStorage, name: string): AuthStorage {
  if (typeof choice === 'object') return orMemory(choice);
  try {
    // The property itself throws where the browser blocks it.
    const storage = choice === 'session' && isPage() && sessionStorage;
    if (storage)
      return orMemory({
        get: () => storage.getItem(name),
        set: (value) => storage.setItem(name, value),
        delete: () => storage.removeItem(name),
      });
  } catch {}
  return inMemory();
}

function inMemory(): AuthStorage {
  let text: string | null = null;
  return {
    get: () => text,
    set: (value) => {
      text = value;
    },
    delete: () => {
      text = null;
    },
  };
}

/**
 * The storage, and memory from the moment it throws, as where a browser blocks it, it is full, or a server has none.
 * The first change after that, and each sign-out, deletes what the storage still has: a reload would find a session
 * that has been signed out or replaced. Another change deletes nothing, because by then another tab may have stored its
 * session.
 */
function orMemory(storage: AuthStorage): AuthStorage {
  let active = storage;
  let isLeft = false;
  const attempt = <T>(work: (target: AuthStorage) => T): T => {
    try {
      return work(active);
    } catch {
      active = inMemory();
      return work(active);
    }
  };
  const leave = (): void => {
    isLeft = true;
    try {
      storage.delete();
    } catch {}
  };
  return {
    get: () => attempt((target) => target.get()),
    set: (value) => {
      attempt((target) => target.set(value));
      if (active !== storage && !isLeft) leave();
    },
    delete: () => {
      attempt((target) => target.delete());
      if (active !== storage) leave();
    },
  };
}

/** Whether this is a page of a browser, which belongs to one person. */
export const isPage = (): boolean => 'document' in globalThis;
