import { createElement, type ReactNode } from 'react';
import type { User } from './generated/api.ts';
import { useList } from './react-data.ts';
import { FactorApp } from './react-factor-app.ts';
import type { Given } from './react-later.ts';
import { PasskeyList } from './react-passkey-list.ts';
import { alert, button } from './react-form.ts';
import { hasPassword } from './sign-in-methods.ts';
import { useProvided } from './react-session.ts';
import { wordsFor } from './react-texts.ts';

type FactorAccountProps = Given & { methods: readonly ('app' | 'passkey')[] };

/** The parts of the second factor of an account. */
export function FactorAccount({ part, words, methods }: FactorAccountProps): ReactNode {
  const { texts } = useProvided();
  // What the session knows of the user is as old as its last refresh.
  const { data, error, refresh } = useList<User>(
    'me',
    async (api, signal) => (await api.users.getMe({}, { signal })).body,
  );
  const given = { part, words, hasPassword: data !== undefined && hasPassword(data) };
  const heading = (text: string) => createElement('h2', part('heading'), text);
  return createElement(
    'div',
    part('root', 'wide'),
    error !== undefined && alert(part, wordsFor(error, texts)),
    error !== undefined && button(part, texts.again, { onClick: () => void refresh() }),
    !data && error === undefined && createElement('p', part('note'), texts.loading),
    data &&
      methods.includes('app') &&
      createElement(
        'section',
        { ...part('section'), 'aria-label': words.app },
        heading(words.app),
        createElement(FactorApp, given),
      ),
    data &&
      methods.includes('passkey') &&
      createElement(
        'section',
        { ...part('section'), 'aria-label': words.passkeys },
        heading(words.passkeys),
        createElement(PasskeyList, given),
      ),
  );
}
