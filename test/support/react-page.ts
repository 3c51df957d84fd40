import { setTimeout as pause } from 'node:timers/promises';
import { Window } from 'happy-dom';
import type { ReactNode } from 'react';
import { afterAll, afterEach, expect } from 'vitest';

/** Acts, and waits for React's updates. */
async function settled<T>(act: () => T): Promise<T> {
  const result = act();
  await pause(5);
  return result;
}

/** Sets up a DOM for React until the end of the test file. */
export async function openPage(url = 'http://localhost:5173/') {
  const window = new Window({ url });
  const { document } = window;
  const globals = { window, document };
  const before = Object.keys(globals).map(
    (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  );
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

  // React checks for a DOM once, when it is loaded.
  const { createRoot, hydrateRoot } = await import('react-dom/client');
  const roots = new Set<{ unmount(): void }>();
  /** Errors of components, and hydration mismatches. */
  const mistakes: unknown[] = [];
  const note = (error: unknown) => mistakes.push(error);
  const noted = { onRecoverableError: note, onUncaughtError: note };

  function container(html = '') {
    const element = document.createElement('div');
    element.innerHTML = html;
    document.body.append(element);
    return element;
  }
  type Container = ReturnType<typeof container>;

  function shown(element: Container, root: ReturnType<typeof createRoot>) {
    roots.add(root);
    const each = (selector: string) => [...element.querySelectorAll(selector)];
    /** The control with this label or text. */
    function named(name: string) {
      const label = each('label').find(({ textContent }) => textContent === name);
      const controls = each('button, input, select');
      const found = controls.find(
        (control) =>
          control.id === (label?.getAttribute('for') ?? '-') ||
          control.getAttribute('aria-label') === name ||
          control.textContent === name,
      );
      if (!found) throw new Error(`There is no ${name} in: ${element.innerHTML}`);
      return found;
    }
    const text = () => element.textContent;
    /** Waits until the page shows the text. */
    async function expectText(expected: string | RegExp): Promise<void> {
      const pattern = new RegExp(expected);
      const end = Date.now() + 5_000;
      while (!pattern.test(text()) && Date.now() < end) await pause(5);
      expect(text(), element.innerHTML).toMatch(pattern);
    }
    /** Clicks; with a text, waits until the page shows it. */
    async function click(name: string, shows?: string): Promise<void> {
      await settled(() =>
        named(name).dispatchEvent(
          new window.MouseEvent('click', { bubbles: true, cancelable: true }),
        ),
      );
      if (shows !== undefined) await expectText(shows);
    }
    /** Types or selects, as a user does: React only notices the setter of the prototype. */
    const enter = (name: string, value: string) =>
      settled(() => {
        const field = named(name);
        const isSelect = field.tagName === 'SELECT';
        const { prototype } = isSelect ? window.HTMLSelectElement : window.HTMLInputElement;
        Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value);
        field.dispatchEvent(new window.Event(isSelect ? 'change' : 'input', { bubbles: true }));
      });
    return {
      element,
      text,
      named,
      expectText,
      click,
      enter,
      rerender: (node: ReactNode) => settled(() => root.render(node)),
      close: () => settled(() => root.unmount()),
      /** Enters the values by the labels of their fields, and clicks the button. */
      async submit(values: Record<string, string>, button: string, shows?: string): Promise<void> {
        for (const [name, value] of Object.entries(values)) await enter(name, value);
        await click(button, shows);
      },
      press: (name: string, key: string) =>
        settled(() =>
          named(name).dispatchEvent(new window.KeyboardEvent('keydown', { key, bubbles: true })),
        ),
    };
  }

  afterEach(async () => {
    for (const root of roots) await settled(() => root.unmount());
    roots.clear();
    expect(mistakes.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await window.happyDOM.close();
    for (const [name, descriptor] of before)
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else Reflect.deleteProperty(globalThis, name);
  });

  return {
    window,
    /** The name of the focused field. */
    focused: () => document.activeElement?.getAttribute('name'),
    async show(node: ReactNode) {
      const element = container();
      const root = createRoot(element, noted);
      await settled(() => root.render(node));
      return shown(element, root);
    },
    /** Hydrates server markup. */
    async hydrate(html: string, node: ReactNode) {
      const element = container(html);
      const root = await settled(() => hydrateRoot(element as never, node, noted));
      return shown(element, root);
    },
  };
}
