import type { SessionItem } from '../../access/live-session.ts';
import type { OAuthClient } from '../../access/projects.ts';
import { and, type Condition, or, where } from '../../db/condition.ts';

/** Which sessions an endpoint renews: as a condition of the write, and of a session that was read. */
export type Renewable = { condition: Condition; includes: (session: SessionItem) => boolean };

/**
 * The sessions that a browser may have with the hosted pages: those that no OAuth client started. A client's refresh
 * token is the client's: kept as a cookie, it would let the client act as the user at the pages. Nor those in which
 * somebody else acts as the user, which end as they are.
 */
export const ofBrowsers: Renewable = {
  condition: where('attribute_not_exists(#client_id) AND attribute_not_exists(#actor)'),
  includes: ({ client_id, actor }) => client_id === undefined && actor === undefined,
};

/**
 * The sessions that a client has started. Not those of a client that had the same id and was deleted: an operator who
 * deletes a client because its tokens were stolen may create it again. A session of an earlier release does not say
 * which client of that id started it, so it counts unless it is older than the client.
 */
export const ofClient = ({ client_id, created_at }: OAuthClient, index = 0): Renewable => ({
  // Short: DynamoDB takes 4 KB, and the clients of a project are 20 times this.
  condition: where(
    `#client_id = :client_${index} AND (#client_created_at = :since_${index}` +
      ` OR attribute_not_exists(#client_created_at) AND #created_at >= :since_${index})`,
    { [`client_${index}`]: client_id, [`since_${index}`]: created_at },
  ),
  includes: (session) =>
    session.client_id === client_id &&
    (session.client_created_at === undefined
      ? session.created_at >= created_at
      : session.client_created_at === created_at),
});

/**
 * The sessions that their refresh token alone renews: the user's own, and those of the clients that the project still
 * has, unless they were started with a secret.
 */
export function byTokenAlone(clients: readonly OAuthClient[]): Renewable {
  const each = [ofBrowsers, ...clients.map(ofClient)];
  return withoutSecret({
    condition: each.map(({ condition }) => condition).reduce(or),
    includes: (session) => each.some(({ includes }) => includes(session)),
  });
}

/** Of these sessions those that no client started with its secret. */
export const withoutSecret = ({ condition, includes }: Renewable): Renewable => ({
  condition: and(where('attribute_not_exists(#confidential)'), condition),
  includes: (session) => session.confidential === undefined && includes(session),
});
