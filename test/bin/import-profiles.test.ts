import { expect, test } from 'vitest';
import { profileOf } from '../../bin/import/format.ts';

test.each([
  'https://example.com/Zoë.png',
  'https://example.com/a b.png',
  'https://example.com/a|b.png',
  `https://example.com/${'a'.repeat(2_048)}`,
  'http://example.com/a.png',
])('a picture at %j, which no profile can have, does not keep its user out', (picture) => {
  expect(profileOf({ name: 'Ada', picture })).toEqual({ display_name: 'Ada' });
});

test.each(['Ada\nLovelace', 'Ada\u202eecalevoL', 'a'.repeat(129)])(
  'the name %j, which no profile can have, does not keep its user out',
  (name) => {
    const picture = 'https://example.com/ada.png';
    expect(profileOf({ name, username: name, picture })).toEqual({ thumbnail_url: picture });
  },
);
