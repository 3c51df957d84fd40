import { expect, test } from 'vitest';
import type { UserExport } from '../../client/generated/api.ts';
import {
  hasMethod,
  helpWithApp,
  helpWithPassword,
  lacksFactor,
  locksOf,
} from '../../console/views/sign-in-help.ts';
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
  expect(helps({ passkeys: true }, { user: { email: '' }, passkeys })).toBe(
    'What still works: passkeys.',
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
  const installed = { work: { preset: 'oidc', issuer: 'https://other.acme.test', client_id: 'c' } };
  expect(open({ sign_in_providers: installed })).toBeUndefined();
});

const tenants = 'https://login.microsoftonline.com';
const tenant = '5f0f7d0e-3f0b-4c4e-9d52-0c1a54f3f5b1';
const personal = '9188040d-6c67-4c5b-b112-36a304b66dad';
test.each([
  { preset: 'microsoft', issuer: `${tenants}/${tenant}/v2.0`, counts: true },
  { preset: 'microsoft', tenant, issuer: `${tenants}/${tenant}/v2.0`, counts: true },
  { preset: 'microsoft', tenant, issuer: `${tenants}/${personal}/v2.0`, counts: false },
  {
    preset: 'microsoft',
    tenant: 'organizations',
    issuer: `${tenants}/${tenant}/v2.0`,
    counts: true,
  },
  {
    preset: 'microsoft',
    tenant: 'organizations',
    issuer: `${tenants}/${personal}/v2.0`,
    counts: false,
  },
  { preset: 'microsoft', tenant: 'consumers', issuer: `${tenants}/${personal}/v2.0`, counts: true },
  { preset: 'github', issuer: 'https://github.com', counts: true },
  // Linked while the settings named an installation, which they no longer do.
  { preset: 'github', issuer: 'https://github.acme.test', counts: false },
])('accounts of $issuer count with $preset and tenant $tenant: $counts', (each) => {
  const { preset, tenant: own, issuer, counts } = each;
  const sign_in_providers = { it: { preset, client_id: 'c', ...(own && { tenant: own }) } };
  const identities = [{ provider: 'it', issuer, subject: '1' }];
  const promised = helps({ sign_in_providers }, { identities, mail_stopped });
  expect(promised.includes('accounts at it')).toBe(counts);
});

test('an app that is locked is opened by a recovery code, if one is left', () => {
  const app = { credential: 'totp', wrong_attempts: 10, until: lock.until } as const;
  const forGood = { credential: 'totp', wrong_attempts: 100 } as const;
  const left = { factors: [{ recovery_codes_left: 1 }] };
  const none = { factors: [{ recovery_codes_left: 0 }] };
  const disabled = { ...left, user: { email: 'ada@example.com', disabled: true } };
  const says = (stored: object, which: typeof app | typeof forGood) =>
    helpWithApp(account({ mfa: 'optional' }, stored), which);
  expect(says(left, app)).toBe('Recovery codes still work.');
  expect(says(none, app)).toBe('No recovery code is left: reset the second factor.');
  expect(says(disabled, app)).toBe('');
  expect(says(left, forGood)).toMatch(/^Waiting does not help. A recovery code unlocks it./);
  expect(says(none, forGood)).toBe(
    'Waiting does not help. No recovery code is left: reset the second factor.',
  );
  expect(says(disabled, forGood)).toBe('Waiting does not help.');
});

test('a locked app or password keeps nobody from signing in where the project asks for none', () => {
  const locks = [lock, { ...lock, credential: 'totp' }];
  const shown = (settings: object) =>
    locksOf(account(settings, { locks })).map(({ credential }) => credential);
  expect(shown({ mfa: 'optional' })).toEqual(['password', 'totp']);
  expect(shown({ mfa: 'off' })).toEqual(['password']);
  expect(shown({})).toEqual(['password']);
  expect(shown({ mfa: 'required', password_sign_in: false })).toEqual(['totp']);
  expect(locksOf(account({}))).toEqual([]);
});

test('a user has a method only where the project has it too', () => {
  const nothing = { password_sign_in: false, code_sign_in: false, link_sign_in: false };
  const stored = { password: {}, passkeys, identities: [google] };
  const has = (settings: object, more: object = {}) =>
    hasMethod(account({ ...nothing, ...settings }, { ...stored, ...more }));
  expect(has({})).toBe(false);
  expect(has({ passkeys: true })).toBe(true);
  expect(has({ sign_in_providers: { google: { preset: 'google' } } })).toBe(true);
  expect(has({ code_sign_in: true })).toBe(true);
  expect(has({ code_sign_in: true }, { mail_stopped })).toBe(false);
  expect(has({ password_sign_in: true }, { mail_stopped })).toBe(true);
  // The first one can be set by mail.
  expect(has({ password_sign_in: true }, { password: undefined })).toBe(true);
  expect(has({ password_sign_in: true }, { password: undefined, mail_stopped })).toBe(false);
  // A password is sent with an e-mail.
  expect(has({ password_sign_in: true }, { user: { email: '' } })).toBe(false);
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
