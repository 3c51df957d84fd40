import { expect, test } from 'vitest';
import { redirectUri } from '#shared/operator/urls.ts';

test.each([
  ...['https://app.example.com', 'https://app.example.com:8443/a/b?c=d&e=f'],
  ...['http://localhost/callback', 'http://127.0.0.1:49152/callback'],
  ...['http://[::1]:3000/callback', 'com.example.app:/oauth/callback'],
  ...['com.example.app://callback', 'com.example.my-app2:/?a=b'],
  `https://app.example.com/${'a'.repeat(488)}`,
])('%s is a valid redirect URI', (uri) => {
  expect(redirectUri.safeParse(uri)).toEqual({ success: true, data: uri });
});

test.each([
  ...['http://app.example.com/callback', 'http://localhost.example.com/callback'],
  ...['http://localhost:80@app.example.com/', 'http://127.0.0.1.example.com/'],
  ...['https://app.example.com/*', 'https://*.example.com/callback'],
  ...['https://app.example.com/callback#', 'https://app.example.com/callback#a'],
  ...['https://user@app.example.com/callback', 'https://app.example.com/a b', 'https://'],
  ...['//app.example.com/callback', '/callback', 'javascript:alert(1)'],
  ...['javascript.x:alert(1)', 'data:text/html,x', 'myapp:/callback', 'com.example.app'],
  ...['com.example.app:callback', 'com.example.app:/callback#a', 'com.example.app:/*'],
  ...['com..app:/callback', '.app:/callback', 'COM.EXAMPLE.APP:/callback'],
  ...['com.example.app:/a\r\nb', 'com.example.app:/a\\b', ''],
])('%j is not a valid redirect URI', (uri) => {
  expect(redirectUri.safeParse(uri).error?.issues).toMatchObject([
    { message: expect.stringMatching(/^Must be an https URL, .*, without # and \*$/) },
  ]);
});

test.each([`https://app.example.com/${'a'.repeat(489)}`, 1, null])(
  '%j is not a redirect URI',
  (uri) => {
    expect(redirectUri.safeParse(uri).success).toBe(false);
  },
);
