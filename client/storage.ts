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
  if (typeof choice === 'object') return choice;
  if (choice === 'session' && isPage()) {
    const storage = sessionStorage;
    return {
      get: () => storage.getItem(name),
      set: (value) => storage.setItem(name, value),
      delete: () => storage.removeItem(name),
    };
  }
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

/** Whether this is a page of a browser, which belongs to one person. */
export const isPage = (): boolean => 'document' in globalThis;
