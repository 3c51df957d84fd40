import { createElement, type ReactNode } from 'react';
import { useAsksPassword } from './asks-password.ts';
import { FactorApp } from './factor-app.ts';
import type { PartProps } from './later.ts';
import { listState } from './list-state.ts';
import { useMe } from './me.ts';
import { PasskeyList } from './passkey-list.ts';
import { section } from './section.ts';
import { useProvided } from './session.ts';

type FactorAccountProps = PartProps & { methods?: readonly ('app' | 'passkey')[] | undefined };

/** The parts of the second factor of an account. */
export function FactorAccount({
  part,
  words,
  methods = ['app', 'passkey'],
}: FactorAccountProps): ReactNode {
  const { texts } = useProvided();
  const me = useMe();
  const asksPassword = useAsksPassword(me.data);
  const isKnown = asksPassword !== undefined;
  const commonProps = { part, words, asksPassword: asksPassword ?? false };
  return createElement(
    'div',
    part('root', 'wide'),
    ...listState(part, texts, me),
    isKnown &&
      methods.includes('app') &&
      section(part, words.app, createElement(FactorApp, commonProps)),
    isKnown &&
      methods.includes('passkey') &&
      section(part, words.passkeys, createElement(PasskeyList, commonProps)),
  );
}
