import { Alert, List } from '@mantine/core';
import type { ReactNode } from 'react';
import type { UserExport } from '../../client/generated/api.ts';
import { Clock, When } from '../ui/when.tsx';
import {
  type Account,
  hasMethod,
  helpWithApp,
  helpWithPassword,
  type Lock,
  lacksFactor,
  locksOf,
} from './sign-in-help.ts';

/** Why a user may not be able to sign in, as far as the service knows, and what helps. */
export function SignInObstacles(props: Account) {
  const found = obstaclesOf(props);
  return (
    <Alert color={found.length > 0 ? 'red' : 'gray'} title={titleOf(props, found.length)}>
      {found.length > 0 && (
        <List size="sm" mb="xs">
          {found.map(([name, text]) => (
            <List.Item key={name}>{text}</List.Item>
          ))}
        </List>
      )}
      Not shown here: limits of the user’s network and of mails to one address, which end by
      themselves, and a code or password that was mistyped.
      {props.project.captcha && ' This project also asks for a captcha, which may not load.'}
    </Alert>
  );
}

function titleOf(account: Account, count: number): string {
  if (count > 0) return 'What may keep this user from signing in';
  return hasMethod(account)
    ? 'Nothing in the account keeps this user from signing in'
    : 'Nothing that this user has signs in at this project: only your backend can start a session';
}

function obstaclesOf(account: Account): [name: string, text: ReactNode][] {
  const { project, data } = account;
  const { user, password, mail_stopped } = data;
  const found: [string, ReactNode][] = locksOf(account).map((lock) => [
    lock.credential,
    lock.credential === 'password' ? (
      <PasswordLock key="password" lock={lock} help={helpWithPassword(account, lock)} />
    ) : (
      <AppLock key="totp" lock={lock} help={helpWithApp(account, lock)} />
    ),
  ]);
  if (user.disabled)
    found.push(['disabled', 'The user is disabled: no session can start until you enable them.']);
  if (mail_stopped)
    found.push(['mail', <MailStopped key="mail" email={user.email} {...mail_stopped} />]);
  if (password && !project.password_sign_in)
    found.push(['off', 'The user has a password, but this project has passwords turned off.']);
  if (lacksFactor(account))
    found.push([
      'factor',
      'This project requires a second factor and the user has none: the next sign-in asks them to add an authenticator app.',
    ]);
  return found;
}

type LockProps = { lock: Lock; help: string };

const PasswordLock = ({ lock: { until, wrong_attempts }, help }: LockProps) =>
  until === undefined ? (
    <>
      Password locked after {wrong_attempts} wrong attempts in a row. {help}
    </>
  ) : (
    <>
      Password locked until <Clock at={until} /> after {wrong_attempts} wrong attempts. {help}
    </>
  );

const AppLock = ({ lock: { until, wrong_attempts }, help }: LockProps) =>
  until === undefined ? (
    <>
      Authenticator app locked after {wrong_attempts} wrong codes in a row. {help}
    </>
  ) : (
    <>
      Authenticator app locked until <Clock at={until} /> after {wrong_attempts} wrong codes. {help}
    </>
  );

type Stopped = NonNullable<UserExport['mail_stopped']> & { email: string };

const MailStopped = ({ email, at, because }: Stopped) => (
  <>
    No mail is sent to <bdi>{email}</bdi> because{' '}
    {because === 'bounced' ? 'one came back' : 'one was reported as spam'} (<When at={at} />
    ): no code, link or new password arrives. Correct the e-mail, or have your backend vouch for it
    with email_verified.
  </>
);
