import { expect, test } from 'vitest';
import { uid, workspaceId } from '#shared/model/fields.ts';
import {
  equalInConstantTime,
  newMemberId,
  newSecret,
  newSecretId,
  newSessionId,
  newUid,
  newWorkspaceId,
  newWriteToken,
  sha256,
} from '#shared/model/ids.ts';

const at = new Date('2026-11-21T08:00:00.000Z');
const later = new Date(at.getTime() + 1);
const thousand = <T>(make: () => T) => Array.from({ length: 1_000 }, make);
const version7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const version4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test.each([
  ['user', '', newUid],
  ['workspace', 'wid-', newWorkspaceId],
  ['member', 'mid-', newMemberId],
])('a %s id is %s and a UUIDv7 of its time, unique and sorted by creation', (_, prefix, make) => {
  const ids = thousand(() => make(at));
  const time = (id = '') => id.slice(prefix.length).replaceAll('-', '').slice(0, 12);
  for (const id of ids) {
    expect(id.startsWith(prefix)).toBe(true);
    expect(id.slice(prefix.length)).toMatch(version7);
    expect(Number.parseInt(time(id), 16)).toBe(at.getTime());
  }
  expect(new Set(ids).size).toBe(1_000);
  expect(time([make(later), ...ids].sort().at(-1))).toBe(time(make(later)));
});

test('ids are valid by the contract', () => {
  expect(uid.parse(newUid(at))).toBeDefined();
  expect(workspaceId.parse(newWorkspaceId(at))).toBeDefined();
});

test.each([
  ['session id', newSessionId, version4],
  ['write token, of at most 36 characters for DynamoDB', newWriteToken, version4],
  ['secret of 32 bytes', newSecret, /^[A-Za-z0-9_-]{43}$/],
  ['id of a secret', newSecretId, /^[0-9a-f]{8}$/],
])('a %s is random', (_, make, form) => {
  const all = thousand(make);
  expect(new Set(all).size).toBe(1_000);
  for (const each of all) expect(each).toMatch(form);
});

test('a digest is the SHA-256 of the text in UTF-8', () => {
  // echo -n 'é' | sha256sum
  expect(Buffer.from(sha256('é'), 'base64url').toString('hex')).toBe(
    '4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c',
  );
});

test.each([
  ['digest', 'digest', true],
  ['digest', 'digesT', false],
  ['digest', 'diges', false],
  ['digest', '', false],
  // Of one length as texts, and not in UTF-8.
  ['ä', 'a', false],
])('equalInConstantTime compares %j with %j', (one, other, same) => {
  expect(equalInConstantTime(one, other)).toBe(same);
});
