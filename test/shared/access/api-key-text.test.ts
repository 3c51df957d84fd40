import { describe, expect, test } from 'vitest';
import { hasApiKey, newKeyText, readKeyText } from '#shared/access/api-key-text.ts';
import { newApiKeyId, newUid, newWorkspaceId, sha256 } from '#shared/model/ids.ts';

const now = new Date();
const uid = newUid(now);
const workspace_id = newWorkspaceId(now);
const key_id = newApiKeyId(now);
const text = newKeyText('user', uid, key_id);

test('contains its owner and id, and is different each time', () => {
  expect(text).toMatch(/^wuk_[\w-]{92}$/);
  expect(readKeyText(text)).toEqual({
    ...{ kind: 'user', owner_id: uid, key_id },
    sha256: sha256(text),
  });
  const ofWorkspace = newKeyText('workspace', workspace_id, key_id);
  expect(ofWorkspace).toMatch(/^wwk_[\w-]{92}$/);
  expect(readKeyText(ofWorkspace)).toMatchObject({ kind: 'workspace', owner_id: workspace_id });
  expect(newKeyText('user', uid, key_id)).not.toBe(text);
});

test('ends with a checksum that any scanner can verify', () => {
  const body = text.slice(4, -6);
  expect(text.slice(-6)).toBe(sha256(body).slice(0, 6));
});

describe('readKeyText refuses', () => {
  const body = text.slice(4, -6);
  const bytesOf = (each: string) => Buffer.from(each, 'base64url');
  const respelled = [...'ABCDEFGHx-']
    .map((last) => `${body.slice(0, -1)}${last}`)
    .filter((each) => each !== body && bytesOf(each).equals(bytesOf(body)));
  test.each([
    ...['', 'wuk_', 'wwk_', body, `wsk_${text.slice(4)}`, text.toUpperCase(), `${text} `],
    ...[` ${text}`, `${text}A`, text.slice(0, -1), text.replace('wuk_', 'wuk-'), `${text}\n`],
    `wuk_${body.slice(1)}${sha256(body.slice(1)).slice(0, 6)}`,
    ...respelled.map((each) => `wuk_${each}${sha256(each).slice(0, 6)}`),
    `wuk_${'='.repeat(86)}${sha256('='.repeat(86)).slice(0, 6)}`,
  ])('%j', (given) => {
    expect(readKeyText(given)).toBeUndefined();
  });

  test('a shorter or longer text with its own checksum', () => {
    for (const each of [body.slice(4), `AAAA${body}`])
      expect(readKeyText(`wuk_${each}${sha256(each).slice(0, 6)}`)).toBeUndefined();
  });

  test('a text with any character changed', () => {
    for (let at = 4; at < text.length; at += 1) {
      const flipped = text[at] === 'A' ? 'B' : 'A';
      const changed = text.slice(0, at) + flipped + text.slice(at + 1);
      expect(readKeyText(changed), `${at}`).toBeUndefined();
    }
  });
});

test('hasApiKey recognises a key by its prefix', () => {
  for (const header of [`Bearer ${text}`, `bearer   ${text}`, 'Bearer wwk_', 'BEARER wuk_x'])
    expect(hasApiKey(header)).toBe(true);
  const others = [text, `Basic ${text}`, 'Bearer eyJ', 'Bearer wsk_x', 'x bearer wuk_'];
  for (const header of [undefined, '', ...others]) expect(hasApiKey(header)).toBe(false);
});
