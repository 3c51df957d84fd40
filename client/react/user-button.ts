import { createElement, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { alert, button, firstIn, useAction } from './form.ts';
import { useProvided, useSession } from './session.ts';
import { type Look, partOf } from './style.ts';

/** The signed-in user, with a menu to sign out here or everywhere. */
export function UserButton(look: Look): ReactNode {
  const { auth, texts } = useProvided();
  const { user } = useSession();
  const part = partOf(look);
  const id = useId();
  const root = useRef<unknown>(null);
  const [open, setOpen] = useState(false);
  const { run, failure, words, forget, busy } = useAction();
  const uid = user?.uid;
  useEffect(() => {
    if (uid) forget();
  }, [uid]);

  if (!user) return alert(part, failure ? texts.signOutFailed : undefined);
  const name = user.display_name || user.name.formatted || user.email || user.uid;
  const signOut = (everywhere: boolean) => {
    setOpen(false);
    void run(() => auth.signOut({ everywhere }));
  };
  const close = () => {
    setOpen(false);
    // The button that had it is gone.
    firstIn(root.current, '[aria-expanded]')?.focus();
  };

  return createElement(
    'div',
    {
      ...part('root'),
      // Safari gives the focus to no button that is clicked, and then it stays within.
      tabIndex: -1,
      ref: root as never,
      onKeyDown: ({ key }: { key: string }) => open && key === 'Escape' && close(),
      onBlur: (event: { currentTarget: unknown; relatedTarget: unknown }) => {
        const inside = event.currentTarget as { contains(element: unknown): boolean };
        if (!inside.contains(event.relatedTarget)) setOpen(false);
      },
    },
    createElement(
      'button',
      {
        ...part('button'),
        type: 'button',
        'aria-label': texts.account(name),
        'aria-expanded': open,
        'aria-controls': open ? id : undefined,
        onClick: () => setOpen(!open),
      },
      name,
    ),
    alert(part, words),
    open &&
      createElement(
        'div',
        { ...part('menu'), id },
        createElement('p', part('note'), user.email),
        button(part, texts.signOut, { busy, onClick: () => signOut(false) }),
        button(part, texts.signOutEverywhere, { busy, onClick: () => signOut(true) }),
      ),
  );
}
