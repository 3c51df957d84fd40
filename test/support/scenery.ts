import { randomUUID } from 'node:crypto';
import { authenticate } from '#shared/access/authenticate.ts';
import { getSigningKeys } from '#shared/access/signing-keys.ts';
import { users } from '#shared/contract/users.ts';
import { ConditionFailed } from '#shared/db/change.ts';
import { commit } from '#shared/db/commit.ts';
import { runInRequest } from '#shared/db/request-context.ts';
import { newSession } from '#shared/identity/sessions/sessions.ts';
import { startSession } from '#shared/identity/sessions/start-session.ts';
import { issueTokensFor } from '#shared/identity/sessions/token-claims.ts';
import { withLastSignIn } from '#shared/identity/sign-in/first-factor.ts';
import { emailGuard, newUser, noWallet } from '#shared/identity/users/new-user.ts';
import { env } from '#shared/model/env.ts';
import { newUid } from '#shared/model/ids.ts';
import type { User } from '#shared/model/user-resources.ts';
import { addressOfScenery } from './expectations.ts';

const wallet = { address: addressOfScenery, type: 'service' };

/** The response that starts a session. */
export type Started = { uid: string; access_token: string; refresh_token: string; user: User };

/**
 * Creates a user with a session by the service's own code in this process: in one transaction, the same items and
 * events that a backend creates by two requests. Undefined if the project has a user with the e-mail.
 */
export function startUser(basic: string, given: object): Promise<Started | undefined> {
  return runInRequest(randomUUID(), 10_000, async (request) => {
    const { now } = request;
    const caller = await authenticate(['project'], basic, now);
    if (caller.kind !== 'project') throw new Error('Not the secret of a project');
    const { project_id, project } = caller;
    request.actor = { kind: 'key', id: caller.secret_id };
    const body = await users.create.body.parseAsync(given);
    const user = {
      ...newUser(project_id, newUid(now), body, now),
      wallet: env.walletXpub() === '' ? noWallet : wallet,
    };
    const session = newSession(project_id, user.uid, { method: 'project' }, now);
    const start = startSession(session, { newUser: user, writes: { guard: emailGuard(user) } });
    try {
      await commit(start);
    } catch (error) {
      if (error instanceof ConditionFailed) return undefined;
      throw error;
    }
    const signedIn = { session, user: withLastSignIn(user, session), created: true };
    return issueTokensFor(project, signedIn, await getSigningKeys());
  });
}
