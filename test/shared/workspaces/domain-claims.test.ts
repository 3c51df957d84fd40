import { describe, expect, test } from 'vitest';
import type { UserItem } from '#shared/identity/users/users.ts';
import { isShared, requireClaims, sharedDomain } from '#shared/workspaces/domains/claims.ts';
import type { WorkspaceItem } from '#shared/workspaces/items.ts';

const workspace = {
  allowed_domains: ['allowed.example'],
  proven_domains: { 'proven.example': '2026-01-01T00:00:00.000Z', 'gmail.com': 'then' },
} as unknown as WorkspaceItem;
const user = (email: string, proven = true) =>
  ({ email, verified: { email: proven } }) as unknown as UserItem;
const ada = user('ada@own.example');

describe('a domain where anybody can have a mailbox', () => {
  test('is shared, unless the workspace has proven it', () => {
    expect(isShared(workspace, 'outlook.com')).toBe(true);
    expect(isShared(workspace, 'gmail.com')).toBe(false);
    expect(isShared(workspace, 'own.example')).toBe(false);
  });

  test('has its own words of refusal', () => {
    expect(sharedDomain).toBe('Must not be a domain under which anybody can have a mailbox');
  });
});

describe('a user may claim', () => {
  test('an allowed or proven domain, without vouching for it', () => {
    for (const domains of [[], ['allowed.example'], ['allowed.example', 'proven.example']]) {
      expect(requireClaims(ada, workspace, domains)).toBeUndefined();
      expect(requireClaims(undefined, workspace, domains)).toBeUndefined();
    }
  });

  test('the domain of their own verified e-mail, vouching for it', () => {
    expect(requireClaims(ada, workspace, ['own.example'])).toBe(ada);
    expect(requireClaims(ada, workspace, ['allowed.example', 'own.example'])).toBe(ada);
  });

  test.each([
    ['of others', ada, ['others.example']],
    ['of others beside their own', ada, ['own.example', 'others.example']],
    ['of an unverified e-mail', user('ada@own.example', false), ['own.example']],
    ['without a user', undefined, ['own.example']],
  ])('no domain %s', (_, claimant, domains) => {
    expect(() => requireClaims(claimant, workspace, domains)).toThrow(
      expect.objectContaining({
        code: 'forbidden',
        detail:
          'A person may add only the domain of their own verified e-mail, or one that is proven',
      }),
    );
  });
});
