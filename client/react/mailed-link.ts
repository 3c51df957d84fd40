import { createElement, type ReactNode, useState } from 'react';
import type { Entered } from '../auth.ts';
import type { createLinks, OpenedLink } from '../links.ts';
import { alert, button, codeInput, Field, Form, sixDigits, useAction } from './form.ts';
import type { PartProps } from './later.ts';
import { pageOf } from './page.ts';
import { useProvided } from './session.ts';

/** What `createLinks` gave. */
export type Links = ReturnType<typeof createLinks<Entered>>;

const codeStyle = { margin: 0, fontSize: '2em', fontFamily: 'monospace', letterSpacing: '0.15em' };

type MailedLinkProps = PartProps & {
  links: Links;
  finish: (signingIn: Promise<Entered>) => Promise<void>;
  /** Leads to the other ways to sign in. */
  onOther: () => void;
};

/** A link is on its way: it signs in where it is opened, or shows a code for this page. */
export function MailedLinkSent({
  part,
  words,
  links,
  link_id,
  email,
  finish,
  onOther,
}: MailedLinkProps & { link_id: string; email: string }): ReactNode {
  const { texts } = useProvided();
  const [code, setCode] = useState('');
  const { run, busy, failure, wrong, words: failureText } = useAction(words.errors);
  const submit = () =>
    run(
      async () => {
        await finish(links.signIn({ link_id, code: sixDigits(code, texts) }));
      },
      { invalid_credentials: ['code', words.linkCodeWrong] },
    );
  return createElement(
    Form,
    { part, label: texts.signIn, failure, step: 'link', onSubmit: submit },
    createElement('p', { ...part('note'), role: 'status' }, words.linkSent(email)),
    createElement(Field, {
      part,
      label: words.linkCode,
      wrong,
      value: code,
      onText: setCode,
      ...codeInput,
      inputMode: 'numeric',
      autoFocus: true,
    }),
    alert(part, failureText),
    button(part, texts.signIn, { look: 'main', busy }),
    button(part, texts.otherEmail, { look: 'link', busy, onClick: onOther }),
  );
}

/** The page that a mailed link leads to: each step at a click, because scanners of mail open links and run scripts. */
export function MailedLink({
  part,
  words,
  links,
  link,
  finish,
  onUsed,
  onOther,
}: MailedLinkProps & { link: OpenedLink; onUsed: () => void }): ReactNode {
  const { texts } = useProvided();
  const [code, setCode] = useState<string>();
  const [isUsed, setUsed] = useState(false);
  const { run, busy, failure, words: failureText } = useAction(words.errors);
  const { host } = pageOf().location;
  const act = (action: () => Promise<unknown>) =>
    run(async () => {
      try {
        await action();
      } catch (error) {
        const { code: errorCode } = error as { code?: string };
        if (errorCode !== 'invalid_credentials' && errorCode !== 'mail_token_invalid') throw error;
        onUsed();
        setUsed(true);
      }
    });
  const isOwn = links.isOwn(link.link_id);
  const note = (text: string, role?: string) =>
    createElement('p', { ...part('note'), key: text, role }, text);
  const submit = () =>
    void act(async () => {
      if (!isOwn) return setCode(await links.showCode(link));
      await finish(links.signIn(link));
      // Also where a second step follows.
      onUsed();
    });
  const inside = (): ReactNode => {
    if (isUsed)
      return createElement('div', { tabIndex: -1 }, alert(part, texts.errors.mail_token_invalid));
    if (code !== undefined)
      return [
        createElement(
          'p',
          { ...part('code', codeStyle), key: 'code', role: 'status', dir: 'ltr', tabIndex: -1 },
          code,
        ),
        note(words.linkWarning(host)),
      ];
    return [
      ...(isOwn
        ? [note(words.linkReady)]
        : [note(words.linkElsewhere(host)), note(words.linkNotAsked)]),
      createElement('div', { key: 'alert' }, alert(part, failureText)),
      button(part, isOwn ? texts.signIn : words.linkShowCode, { look: 'main', busy }),
    ];
  };
  return createElement(
    Form,
    { part, label: texts.signIn, failure, step: `${isUsed} ${code}`, onSubmit: submit },
    inside(),
    button(part, words.linkAnew, { look: 'link', onClick: onOther }),
  );
}
