import { createElement, type ReactNode } from 'react';
import { useAsksPassword } from './asks-password.ts';
import { FactorApp } from './factor-app.ts';
import type { PartProps } from './later.ts';
import { listState } from './list-state.ts';
import { useMe } from './me.ts';
import { PasskeyList } from './passkey-list.ts';
import { useProvided } from './session.ts';

type FactorAccountProps = PartProps & { methods: readonly ('app' | 'passkey')[] };

/** The parts of the second factor of an account. */
export function FactorAccount({ part, words, methods }: FactorAccountProps): ReactNode {
  const { texts } = useProvided();
  const me = useMe();
  const asksPassword = useAsksPassword(me.data);
  const isKnown = asksPassword !== undefined;
  const commonProps = { part, words, asksPassword: asksPassword ?? false };
  const heading = (text: string) => createElement('h2', part('heading'), text);
  return createElement(
    'div',
    part('root', 'wide'),
    ...listState(part, texts, me),
    isKnown &&
      methods.includes('app') &&
      createElement(
        'section',
        { ...part('section', 'root'), 'aria-label': words.app },
        heading(words.app),
        createElement(FactorApp, commonProps),
      ),
    isKnown &&
      methods.includes('passkey') &&
      createElement(
        'section',
        { ...part('section', 'root'), 'aria-label': words.passkeys },
        heading(words.passkeys),
        createElement(PasskeyList, commonProps),
      ),
  );
}
