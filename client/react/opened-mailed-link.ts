import { createElement, type ReactNode, useEffect, useState } from 'react';
import type { Entered } from '../auth.ts';
import { forgetLink } from '../history-entry.ts';
import { type OpenedLink, openedLink } from '../links.ts';
import type { PartProps } from './later.ts';
import { type Links, MailedLink } from './mailed-link.ts';
import { onFragment } from './page.ts';
import { useSteps } from './steps.ts';

type OpenedMailedLinkProps = PartProps & {
  passkey: boolean;
  links: Links;
  onSignedIn: ((result: Entered) => void) | undefined;
  /** The link is of no more use. */
  onEnd: () => void;
};

/**
 * Takes the mailed link out of the address of the page, and signs in by it, or shows its code. A reload finds it in the
 * entry of the history, until it is used.
 */
export function OpenedMailedLink(props: OpenedMailedLinkProps): ReactNode {
  const { part, words, passkey, links, onSignedIn, onEnd } = props;
  const [link, setLink] = useState<OpenedLink>();
  useEffect(() => {
    const take = () => {
      const newLink = openedLink();
      if (newLink) setLink(newLink);
    };
    take();
    return onFragment(take);
  }, []);
  const onUsed = () => forgetLink(link?.link_id);
  const end = () => {
    onUsed();
    onEnd();
  };
  const finishSignIn = (result: Entered) => {
    end();
    onSignedIn?.(result);
  };
  const { finish, step } = useSteps({ part, passkey, onSignedIn: finishSignIn, onOther: end });
  if (step || !link) return step;
  const linkProps = { part, words, links, link, finish, onUsed, onOther: end };
  return createElement(MailedLink, { ...linkProps, key: link.link_id });
}
