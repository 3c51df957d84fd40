import { createElement, type ReactNode, useEffect, useState } from 'react';
import type { Member } from '../generated/api.ts';
import { keep, keptIn } from '../history-entry.ts';
import { useFocusKept } from './focus.ts';
import { alert, button, useAction } from './form.ts';
import { workspacesKey } from './list-hooks.ts';
import { onFragment, pageOf } from './page.ts';
import { useProvided, useSession } from './session.ts';
import { SignIn } from './sign-in.ts';
import type { SignInProps } from './sign-in-props.ts';
import { type Look, partOf } from './style.ts';

export type AcceptInvitationProps = Look & {
  /** How people sign in before they accept. A provider leaves the page: who comes back opens the link once more. */
  signIn?: SignInProps | undefined;
  /** Called once the invitation is accepted. */
  onAccepted?: ((member: Member) => void) | undefined;
};

const entry = 'identity-workspace invitation';

/**
 * Takes the token out of the address, where a list of visited pages, a screenshot and every script would find it. A
 * reload, and a way back, find it in the entry of the history.
 */
function takeToken(): string | undefined {
  const { hash, href } = pageOf().location;
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? undefined;
  if (token !== undefined) keep(entry, token, href);
  return token ?? keptIn(entry);
}

/**
 * The page that the link of an invitation leads to: signs in, and accepts with a click. Some mail scanners run scripts,
 * and none of them must use up the link.
 */
export function AcceptInvitation({
  signIn,
  onAccepted,
  ...look
}: AcceptInvitationProps): ReactNode {
  const { auth, store, texts } = useProvided();
  const { status, user } = useSession();
  const part = partOf(look);
  /** Null: there is none, in the address and in the entry of the history. */
  const [token, setToken] = useState<string | null>();
  /** The token that was accepted: another link may have been opened meanwhile. */
  const [acceptedToken, setAcceptedToken] = useState<string | null>();
  const { run, busy, forget, words, wrong } = useAction();

  useEffect(() => {
    const take = () => {
      const newToken = takeToken();
      setToken((before = null) => newToken ?? before);
      if (newToken !== undefined) forget();
    };
    take();
    return onFragment(take);
  }, []);

  const accept = () =>
    run(
      async () => {
        const { body } = await auth.api.invitations.accept({ token: token ?? '' });
        // The next at this browser may be somebody else. Another link, opened meanwhile, stays.
        if (keptIn(entry) === token) keep(entry);
        setAcceptedToken(token);
        void store.lists()?.refresh(workspacesKey);
        onAccepted?.(body);
      },
      // Nobody has entered anything: a mail program has cut the link.
      { invalid_request: ['link', texts.errors.mail_token_invalid ?? ''] },
    );
  const isLoading = token === undefined || status === 'loading';
  const isAccepted = acceptedToken === token;
  const root = useFocusKept(isLoading ? undefined : `${user?.uid} ${isAccepted}`);
  const note = (text: string) =>
    createElement('p', { ...part('note'), role: 'status', tabIndex: -1 }, text);
  const inside = () => {
    if (isLoading) return note(texts.loading);
    if (isAccepted) return note(texts.accepted);
    if (token === null) return note(texts.noInvitation);
    if (!user) return createElement(SignIn, signIn);
    return [
      createElement('p', { ...part('note'), key: 'as', tabIndex: -1 }, texts.acceptAs(user.email)),
      createElement('div', { key: 'alert' }, alert(part, words ?? wrong('link'))),
      button(part, texts.accept, { look: 'main', busy, onClick: accept }),
      button(part, texts.otherAccount, {
        busy,
        look: 'link',
        onClick: () => run(() => auth.signOut()),
      }),
    ];
  };
  return createElement('div', { ...part('root'), ref: root as never }, inside());
}
