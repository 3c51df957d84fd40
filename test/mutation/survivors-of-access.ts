import { living } from './living.ts';
import type { Survivor } from './survivors.ts';

const someText = '"Stryker was here!"';
const rotation = 'shared/identity/sessions/rotate-session.ts';
const hasEnded =
  "return new ApiError('unauthenticated', { detail: 'The session has ended', reason });";
const hasExpired = "return new ApiError('token_expired', { detail: 'The session has expired' });";
const onConflict = 'await ifConditionHolds(transact(writes, { rereadOnConflict: true }));';

/** Survivors in the authentication of callers and their addresses. */
export const survivorsOfAccess: readonly Survivor[] = [
  {
    file: 'shared/access/authenticate.ts',
    line: "address = '',",
    code: "''",
    by: someText,
    reason: 'Neither is an address.',
  },
  {
    file: 'shared/access/authenticate.ts',
    line: "const used = authorization?.toLowerCase() ?? '';",
    code: "''",
    by: someText,
    reason: 'Neither begins with the name of a scheme.',
  },
  {
    file: 'shared/access/last-use.ts',
    line: "const written = { day: '', items: new Set<string>() };",
    ...{ code: "''", by: someText },
    reason: 'Neither is a day.',
  },
  {
    file: 'shared/access/public-keys.ts',
    line: 'if (reading === own) reading = undefined;',
    ...{ code: 'reading === own', by: 'true' },
    reason: 'It spares a read: one that fails late would have the newer one done again.',
  },
  ...[
    {
      line: "if (!project?.hosted_pages) throw notFound('no such project, or without hosted pages');",
      code: "'no such project, or without hosted pages'",
    },
    {
      line: "throw notFound('the project has no hosted pages at this host');",
      code: "'the project has no hosted pages at this host'",
    },
  ].map((mutant) => ({
    file: 'shared/access/hosted-pages.ts',
    ...{ ...mutant, by: '""' },
    reason: 'The cause of a failure, for the log.',
  })),
  {
    file: 'shared/access/access-token.ts',
    line: "const digest = hash('sha256', token, 'base64url');",
    ...{ code: "'base64url'", by: '""' },
    reason:
      'Lossy as UTF-8 it is, nobody finds two tokens that share what is left of their digests.',
  },
  {
    file: 'shared/access/access-token.ts',
    line: '} catch {',
    ...{ code: '{', by: '{}' },
    reason: 'A function that returns nothing returns undefined.',
  },
  {
    file: 'shared/access/source-cidrs.ts',
    line: "const [network = '', prefix = ''] = cidr.split('/');",
    ...{ code: "''", by: someText },
    reason: 'The operator gives each block its prefix; a text that is split has a first part.',
  },
  {
    file: 'shared/access/source-cidrs.ts',
    line: 'if (version === 0) return false;',
    code: 'version === 0',
    by: 'false',
    reason: 'No block has that version, and an empty list has nothing in it.',
  },
  {
    file: 'shared/access/api-key-text.ts',
    line: "/^bearer +(?:wuk|wwk)_/i.test(authorization ?? '');",
    ...{ code: "''", by: someText },
    reason: 'A text that is no API key either.',
  },
  ...living(
    rotation,
    'A text for people; programs go by the code.',
    [hasEnded, "'The session has ended'", '""'],
    [hasExpired, "{ detail: 'The session has expired' }", '{}'],
    [hasExpired, "'The session has expired'", '""'],
  ),
  ...living(
    rotation,
    'test/contract/idempotency.test.ts fails of it, which asks every route with an Idempotency-Key.',
    ['() => getItem<SessionItem>(key),', '() => getItem<SessionItem>(key)', '() => undefined'],
  ),
  ...living(
    rotation,
    'It saves the attempts of a transaction in conflict: the session is revoked once by either.',
    [onConflict, '{ rereadOnConflict: true }', '{}'],
    [onConflict, 'true', 'false'],
  ),
];
