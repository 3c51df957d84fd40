import type { Key } from '../../shared/table/shape.ts';

/** Where the session of an access token lies in the table. */
export function sessionKey({ access_token }: { access_token: string }): Key {
  const claims = JSON.parse(
    Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString(),
  ) as { sub: string; sid: string };
  return { pk: `USER#${claims.sub}`, sk: `SESSION#${claims.sid}` };
}

/** The id of the session of an access token. */
export const sessionIdOf = (tokens: { access_token: string }): string =>
  sessionKey(tokens).sk.slice('SESSION#'.length);
