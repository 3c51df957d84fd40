import { expect, test } from 'vitest';
import { linkPurposes } from '#shared/access/projects.ts';
import { worthFor } from '#shared/identity/sign-in/mail-worth.ts';
import type { MailKind } from '#shared/mail/mails.ts';
import { lifetimes } from '#shared/model/limits.ts';
import { mailsQueue } from '../../../lib/domains/mail.ts';

const kinds: MailKind[] = [
  ...linkPurposes,
  'sign_in_code',
  'workspace_invitation',
  'second_factor_required',
  'password_changed',
  'new_device',
];

test.each(kinds)('%s: the queue keeps it at least as long as it is worth sending', (kind) => {
  expect(worthFor(kind)).toBeLessThanOrEqual(mailsQueue.retention);
});

test('the queue keeps a mail no longer than its item lives, nor longer than SQS can', () => {
  expect(mailsQueue.retention).toBeLessThanOrEqual(lifetimes.mail);
  expect(mailsQueue.retention).toBeLessThanOrEqual(14 * 86_400);
});

test('a code, link or invitation is worth sending until it expires, and a mail about required MFA for an hour', () => {
  expect(worthFor('sign_in_code')).toBe(600);
  expect(worthFor('sign_in_link')).toBe(900);
  expect(worthFor('workspace_invitation')).toBe(7 * 86_400);
  expect(worthFor('second_factor_required')).toBe(3_600);
});
