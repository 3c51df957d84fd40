import { expect, test } from 'vitest';
import type { UserExport } from '../../client/generated/api.ts';
import { helpWithPassword, lacksFactor } from '../../console/views/sign-in-help.ts';
import type { ProjectSummary } from '../../shared/operator/summary.ts';

/** What the console says to support that a locked user can still do: nothing that would be refused. */
const google = { provider: 'google', issuer: 'https://accounts.google.com', subject: '1' };
const work = { provider: 'work', issuer: 'https://id.acme.test', subject: '2' };
const passkeys = [{}];
const everything = { password_sign_in: true, code_sign_in: true, link_sign_in: true };

const account = (settings: object, stored: object = {}) => ({
  project: { ...everything, ...settings } as ProjectSummary,
  data: {
    user: { email: 'ada@example.com' },
    identities: [],
    ...stored,
  } as unknown as UserExport,
});
const lock = { credential: 'password', wrong_attempts: 10, until: '2026-01-01T00:00:00Z' } as const;
const helps = (settings: object, stored: object = {}) =>
  helpWithPassword(account(settings, stored), lock);

const byMail = 'A new password by mail unlocks it at once.';
const mail_stopped = { at: '2026-01-01T00:00:00Z', because: 'bounced' };

test('a user who gets mail is helped by it', () => {
  expect(helps({})).toBe(`${byMail} What still works: codes by mail, links by mail.`);
  expect(helps({ code_sign_in: false, link_sign_in: false })).toBe(byMail);
  const forGood = { credential: 'password', wrong_attempts: 100 } as const;
  expect(helpWithPassword(account({ link_sign_in: false }), forGood)).toBe(
    `Waiting does not help. ${byMail} What still works: codes by mail.`,
  );
});

test('while mail is stopped, neither a new password nor a code is promised', () => {
  expect(helps({ passkeys: true }, { mail_stopped, passkeys })).toBe(
    'A new password by mail would unlock it, but cannot be set while mail is stopped. What still works: passkeys.',
  );
});

test('nothing is promised for a disabled user, nor a new password where passwords are off', () => {
  const user = { email: 'ada@example.com', disabled: true };
  expect(helps({ passkeys: true }, { user, passkeys })).toBe('');
  expect(helps({ password_sign_in: false, link_sign_in: false })).toBe(
    'What still works: codes by mail.',
  );
});

test('accounts count only at a provider that the project still has, and at the same issuer', () => {
  const identities = [google, work];
  const open = (settings: object) =>
    helps(settings, { identities, mail_stopped }).split('works: ')[1];
  expect(open({})).toBeUndefined();
  const byRedirect = { google: { preset: 'google', client_id: 'c' } };
  expect(open({ sign_in_providers: byRedirect })).toBe('accounts at google.');
  const byToken = { work: { issuer: work.issuer, jwks_uri: '', client_ids: [] } };
  expect(open({ sign_in_providers: byRedirect, identity_providers: byToken })).toBe(
    'accounts at google, accounts at work.',
  );
  const elsewhere = { work: { ...byToken.work, issuer: 'https://other.acme.test' } };
  expect(open({ identity_providers: elsewhere })).toBeUndefined();
  const microsoft = { provider: 'microsoft', issuer: 'https://login.microsoftonline.com/t-1/v2.0' };
  const ofTenant = (tenant?: string) =>
    helps(
      { sign_in_providers: { microsoft: { preset: 'microsoft', client_id: 'c', tenant } } },
      { identities: [microsoft], mail_stopped },
    ).includes('accounts at microsoft');
  expect([undefined, 'organizations', 't-1', 't-2'].map(ofTenant)).toEqual([
    true,
    true,
    true,
    false,
  ]);
  const installed = { work: { preset: 'oidc', issuer: 'https://other.acme.test', client_id: 'c' } };
  expect(open({ sign_in_providers: installed })).toBeUndefined();
});

test.each([
  { settings: { mfa: 'required' }, stored: {}, lacks: true },
  { settings: { mfa: 'required', passkeys: true }, stored: { passkeys }, lacks: false },
  { settings: { mfa: 'required', passkeys: false }, stored: { passkeys }, lacks: true },
  { settings: { mfa: 'required' }, stored: { factors: [{}] }, lacks: false },
  { settings: { mfa: 'optional' }, stored: {}, lacks: false },
])('$settings with $stored lacks a second factor: $lacks', ({ settings, stored, lacks }) => {
  expect(lacksFactor(account(settings, stored))).toBe(lacks);
});
