import { createElement, Fragment, type ReactNode, useEffect, useState } from 'react';
import { AccountList } from './account-list.ts';
import { useAsksPassword, useProject } from './asks-password.ts';
import { EmailPart } from './email-part.ts';
import { FactorApp, useFactors } from './factor-app.ts';
import type { PartProps } from './later.ts';
import { listState } from './list-state.ts';
import { useMe } from './me.ts';
import { NameForm } from './name-form.ts';
import { PasskeyList, usePasskeys } from './passkey-list.ts';
import { PasswordPart } from './password-part.ts';
import { section } from './section.ts';
import { useProvided } from './session.ts';
import { SessionList, useSessions } from './session-list.ts';
import { column, type Part } from './style.ts';
import type { ProfileParts } from './user-profile.ts';

const profileStyle = { ...column, gap: 32 };

/** The parts of the account of the signed-in user: those that the project has. */
export function Profile({ part, words, ...parts }: PartProps & ProfileParts): ReactNode {
  const { texts } = useProvided();
  const me = useMe();
  const project = useProject(me.data);
  const asksPassword = useAsksPassword(me.data);
  const user = me.data;
  const { methods: own, mfa, min_password_length } = project.data ?? {};
  const has = (method: 'password' | 'app' | 'passkey'): boolean => {
    if (parts.methods) return parts.methods.includes(method);
    return (method === 'app' ? mfa && mfa !== 'off' : own?.[method]) ?? true;
  };
  /** A section of the profile is none of its own. */
  const inner: Part = (name, ...look) =>
    name === 'root' ? part('section', 'root') : part(name, ...look);
  const common = { part: inner, words };
  const isKnown = user && project.data && asksPassword !== undefined;
  return createElement(
    'div',
    part('root', profileStyle),
    ...listState(part, texts, me.error === undefined && user ? project : me),
    isKnown &&
      createElement(
        Fragment,
        null,
        section(part, words.profile, createElement(NameForm, { ...common, user })),
        section(part, texts.email, createElement(EmailPart, { ...common, me, asksPassword })),
        has('password') &&
          section(
            part,
            texts.password,
            createElement(PasswordPart, { ...common, user, least: min_password_length }),
          ),
        createElement(OtherParts, {
          ...common,
          asksPassword,
          hasApp: has('app'),
          hasPasskey: has('passkey'),
          providers: parts.providers,
        }),
      ),
  );
}

type OtherProps = PartProps & {
  asksPassword: boolean;
  hasApp: boolean;
  hasPasskey: boolean;
  providers: ProfileParts['providers'];
};

/** The parts that have lists. They come together: each that came by itself would move those below it. */
function OtherParts({
  asksPassword,
  hasApp,
  hasPasskey,
  providers,
  ...rest
}: OtherProps): ReactNode {
  const { part, words } = rest;
  const { texts } = useProvided();
  const lists = [useFactors(hasApp), usePasskeys(hasPasskey), useSessions()];
  const [isOffered, setOffered] = useState(!providers);
  useEffect(() => {
    const end = () => setOffered(true);
    void providers?.offered().then(end, end);
  }, [providers]);
  if (!isOffered || lists.some(({ data, error, loading }) => loading && !data && !error))
    return createElement('p', part('note'), texts.loading);
  const common = { ...rest, asksPassword };
  return createElement(
    Fragment,
    null,
    hasApp && section(part, words.app, createElement(FactorApp, common)),
    hasPasskey && section(part, words.passkeys, createElement(PasskeyList, common)),
    providers && createElement(AccountList, { ...rest, providers }),
    createElement(SessionList, rest),
  );
}
