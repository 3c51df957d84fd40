import { describe, expect, test } from 'vitest';
import { readAuthorization, readBasic } from '#shared/access/authorization-header.ts';

describe('a header', () => {
  test.each([
    ['a scheme and a credential', 'Bearer abc', { scheme: 'bearer', credential: 'abc' }],
    ['the scheme in any case', 'bAsIC Zm9v', { scheme: 'basic', credential: 'Zm9v' }],
    ['several blanks', 'Basic   Zm9v', { scheme: 'basic', credential: 'Zm9v' }],
    ['no header', undefined, undefined],
    ['an empty header', '', undefined],
    ['only a scheme', 'Bearer', undefined],
    ['a tab instead of the blank', 'Bearer\tabc', undefined],
    ['a scheme and a blank', 'Bearer ', undefined],
    ['a blank before it', ' Bearer', undefined],
    ['a blank before both', ' Bearer abc', undefined],
    ['a trailing blank', 'Bearer abc ', undefined],
    ['three parts', 'Bearer abc def', undefined],
    ['two headers in one', 'Bearer abc,Bearer', undefined],
  ])('%s', (_, header, parts) => {
    expect(readAuthorization(header, 50)).toEqual(parts);
  });

  test('may have the maximum length, and no more', () => {
    expect(readAuthorization('Bearer abc', 10)).toBeDefined();
    expect(readAuthorization('Bearer abc', 9)).toBeUndefined();
  });
});

describe('a Basic credential', () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64');

  test.each([
    ['an id and a secret', base64('demo:wsk_1'), { id: 'demo', secret: 'wsk_1' }],
    ['without padding', 'ZGVtbzo', { id: 'demo', secret: '' }],
    ['with one character of padding', 'YTpiYmI=', { id: 'a', secret: 'bbb' }],
    ['with two characters of padding', 'YTpiYg==', { id: 'a', secret: 'bb' }],
    ['without its padding', 'YTpiYg', { id: 'a', secret: 'bb' }],
    ['colons in the secret', base64('demo:a:b'), { id: 'demo', secret: 'a:b' }],
    ['no id', base64(':a'), { id: '', secret: 'a' }],
    ['UTF-8', base64('ü:€'), { id: 'ü', secret: '€' }],
    ['no colon', base64('demo'), undefined],
    ['too much padding', 'YTpiYg===', undefined],
    ['too little padding', 'YTpiYg=', undefined],
    ['padding where none belongs', `${base64('demo:wsk')}=`, undefined],
    ['a character outside base64', 'YTpi*Yg==', undefined],
    ['base64url', Buffer.from('a:\u00ff\u00fe\u00ff').toString('base64url'), undefined],
    ['bits after the last byte', 'YTpiYh==', undefined],
  ])('%s', (_, credential, parts) => {
    expect(readBasic(credential)).toEqual(parts);
  });
});
