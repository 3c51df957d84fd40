import { expect, test } from 'vitest';
import { providerTitle } from '#shared/mail/provider-title.ts';
import { presets } from '#shared/model/provider-presets.ts';
import { titleOf } from '../../../client/providers/title.ts';

test.each([...Object.keys(presets), 'my-idp', 'constructor'])(
  'a mail names %s as the pages do',
  (name) => {
    expect(providerTitle(name)).toBe(titleOf(name));
  },
);

test('a mail names a provider as it writes itself', () => {
  expect(['google', 'github', 'linkedin', 'my-idp'].map(providerTitle)).toEqual([
    'Google',
    'GitHub',
    'LinkedIn',
    'My-idp',
  ]);
});
