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

test.each(kinds)('%s: the queue keeps it for as long as it is worth sending', (kind) => {
  expect(worthFor(kind)).toBeLessThanOrEqual(mailsQueue.retention);
});

test('the queue keeps nothing whose item may be gone, nor longer than SQS can', () => {
  expect(mailsQueue.retention).toBeLessThanOrEqual(lifetimes.mail);
  expect(mailsQueue.retention).toBeLessThanOrEqual(14 * 86_400);
});

test('what somebody waits for is dropped when it no longer works, and what only informs is not', () => {
  expect(worthFor('sign_in_code')).toBe(600);
  expect(worthFor('sign_in_link')).toBe(900);
  expect(worthFor('workspace_invitation')).toBe(7 * 86_400);
  expect(worthFor('second_factor_required')).toBe(3_600);
});
