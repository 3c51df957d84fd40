import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  invitationToken,
  invitationTokenDigest,
  readInvitationToken,
  tokenKind,
} from '#shared/workspaces/invitations/invitation-token.ts';
import { unknownId, unknownWorkspaceId } from '../../support/expectations.ts';

const key = createSecretKey(randomBytes(48));
const invitation = {
  workspace_id: unknownWorkspaceId,
  user_id: unknownId,
  member_id: 'mid-0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a03',
  modified_at: '2026-11-21T08:00:00.000Z',
};
const secretOf = (token: string) => token.split('.')[1] ?? '';
const tokenBy = (source: 'mail' | 'link', of = invitation, by = key) =>
  invitationToken(of, source, by);

test.each(['mail', 'link'] as const)(
  'the token of the %s contains its invitation and its source',
  (source) => {
    const token = tokenBy(source);
    expect(token).toMatch(/^[\w-]{43}\.[\w-]{43}$/);
    expect(readInvitationToken(token)).toEqual({
      workspace_id: unknownWorkspaceId,
      uid: unknownId,
      secret: secretOf(token),
    });
    const digest = invitationTokenDigest(invitation, key);
    expect(tokenKind(secretOf(token), digest)).toBe(source);
    // In the form that a member item stores.
    expect(tokenKind(secretOf(token), digest.slice(0, 22))).toBe(source);
  },
);

test('the tokens of mail and link differ, and each is always the same', () => {
  expect(tokenBy('mail')).not.toBe(tokenBy('link'));
  for (const source of ['mail', 'link'] as const) expect(tokenBy(source)).toBe(tokenBy(source));
});

test.each<[string, Partial<typeof invitation>]>([
  ['another invitation of the same user', { member_id: `${invitation.member_id.slice(0, -1)}4` }],
  ['a renewed invitation', { modified_at: '2026-11-21T08:00:00.001Z' }],
])('%s has other tokens', (_, change) => {
  const other = { ...invitation, ...change };
  const digest = invitationTokenDigest(other, key);
  for (const source of ['mail', 'link'] as const) {
    expect(tokenBy(source, other)).not.toBe(tokenBy(source));
    expect(tokenKind(secretOf(tokenBy(source)), digest)).toBeUndefined();
  }
});

test('another key makes other tokens', () => {
  const other = createSecretKey(randomBytes(48));
  for (const source of ['mail', 'link'] as const)
    expect(
      tokenKind(
        secretOf(tokenBy(source, invitation, other)),
        invitationTokenDigest(invitation, key),
      ),
    ).toBeUndefined();
});

test('a digest in the table, or its beginning, is not accepted as a token', () => {
  const digest = invitationTokenDigest(invitation, key);
  for (const each of [digest, digest.slice(0, 22), ''])
    expect(tokenKind(each, digest)).toBeUndefined();
  expect(digest).not.toBe(secretOf(tokenBy('link')));
});

describe('a malformed token', () => {
  const [ids = '', secret = ''] = tokenBy('mail').split('.');
  test.each([
    '',
    '.',
    `.${secret}`,
    `${ids.slice(1)}.${secret}`,
    `${ids}A.${secret}`,
    // The last letter of 32 bytes has two bits that must be zero.
    `${'A'.repeat(42)}B.${secret}`,
  ])('%j is not read', (token) => {
    expect(readInvitationToken(token)).toBeUndefined();
  });

  test('without a secret is read with an empty one, which matches nothing', () => {
    expect(readInvitationToken(ids)).toMatchObject({ uid: unknownId, secret: '' });
  });

  test.each([0, 21, 44])('matches no digest of %i characters', (length) => {
    const digest = invitationTokenDigest(invitation, key).padEnd(44, 'A').slice(0, length);
    expect(tokenKind(secret, digest)).toBeUndefined();
  });

  test.each(['', 'A', secret.slice(1), `${secret}A`])(
    'with the secret %j matches nothing',
    (each) => {
      expect(tokenKind(each, invitationTokenDigest(invitation, key))).toBeUndefined();
    },
  );
});
