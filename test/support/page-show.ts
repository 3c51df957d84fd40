import { onTestFinished } from 'vitest';

/** A page of a browser for one test: shows it, for the first time or, if `persisted`, again as it was left. */
export function stubPageShow(): (persisted: boolean) => void {
  const events = new EventTarget();
  const names = ['addEventListener', 'removeEventListener'] as const;
  for (const name of names) Object.assign(globalThis, { [name]: events[name].bind(events) });
  Object.assign(globalThis, { document: {} });
  onTestFinished(() => {
    for (const name of [...names, 'document']) Reflect.deleteProperty(globalThis, name);
  });
  return (persisted) =>
    void events.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }));
}
