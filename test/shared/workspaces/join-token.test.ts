import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256 } from '#shared/model/ids.ts';
import { packIds, unpackIds } from '#shared/workspaces/compact-ids.ts';
import type { JoinLinkItem } from '#shared/workspaces/joining/join-links.ts';
import { isTokenOf, newJoinToken, readJoinToken } from '#shared/workspaces/joining/join-token.ts';

const uuid = fc.uuid();
const [workspace_id, link_id] = [
  'wid-0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a02',
  'lnk-0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a05',
];

test('a token names its link, and only its secret part matches the digest', () => {
  fc.assert(
    fc.property(uuid, uuid, (one, other) => {
      const { token, token_sha256 } = newJoinToken(`wid-${one}`, `lnk-${other}`);
      expect(token).toMatch(/^jl_[\w-]{43}\.[\w-]{43}$/);
      const read = readJoinToken(token);
      expect(read).toMatchObject({ workspace_id: `wid-${one}`, link_id: `lnk-${other}` });
      const secret = read?.secret ?? '';
      expect(sha256(secret)).toBe(token_sha256);
      const link = { token_sha256 } as JoinLinkItem;
      expect(isTokenOf(secret, link)).toBe(true);
      for (const wrong of ['', secret.slice(1), `${secret}A`, token_sha256])
        expect(isTokenOf(wrong, link)).toBe(false);
    }),
  );
});

test('two tokens of the same link differ in 256 bits', () => {
  const secrets = Array.from(
    { length: 100 },
    () => readJoinToken(newJoinToken(workspace_id, link_id).token)?.secret,
  );
  expect(new Set(secrets).size).toBe(100);
  for (const secret of secrets) expect(Buffer.from(secret ?? '', 'base64url')).toHaveLength(32);
});

test('a malformed token is not read', () => {
  const { token } = newJoinToken(workspace_id, link_id);
  const ids = packIds(workspace_id, link_id.slice(4));
  for (const wrong of [
    '',
    'jl_',
    token.slice(3),
    `rt_${token.slice(3)}`,
    `jl_${ids.slice(1)}.x`,
    `jl_A${ids}.x`,
    // The same bytes in another encoding: 43 characters have two spare bits.
    `jl_${ids.slice(0, -1)}${String.fromCodePoint((ids.codePointAt(42) ?? 0) + 1)}.x`,
  ])
    expect(readJoinToken(wrong), wrong).toBeUndefined();
  expect(readJoinToken(`jl_${ids}`)).toEqual({ workspace_id, link_id, secret: '' });
  expect(unpackIds(`${ids}=`)).toBeUndefined();
  expect(unpackIds(ids)).toEqual({ workspace_id, uuid: link_id.slice(4) });
});
