import {
  findLiveSession,
  type NamedSession,
  requireLiveSession,
} from '#shared/access/live-session.ts';
import { emails } from '#shared/contract/emails.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { sessionExists } from '#shared/identity/sessions/sessions.ts';
import { resetCredentials } from '#shared/identity/sign-in/credential-reset.ts';
import {
  consumeToken,
  type MailTokenItem,
  requireEmailToken,
} from '#shared/identity/sign-in/email-challenges.ts';
import { changeUser } from '#shared/identity/users/update-user.ts';
import { getUser, type UserItem } from '#shared/identity/users/users.ts';
import { toUser } from '#shared/identity/users/views.ts';
import { noticeTo } from '#shared/mail/mails.ts';
import { normalizeEmail } from '#shared/model/email.ts';
import { ApiError } from '#shared/model/errors.ts';

export const handler = endpoint(emails.confirm, async ({ body, caller, now }) => {
  const { project_id, uid, session_id } = caller;
  const [proof, user, session] = await Promise.all([
    requireEmailToken(body.token, project_id, ['verify_email', 'change_email'], now),
    getUser(project_id, uid),
    requireLiveSession(caller, now),
  ]);
  if (!user) throw new ApiError('unauthenticated', { reason: 'the user was deleted' });
  // Only the user who requested it: a token mailed to a mistyped address is useless to its recipient.
  if (proof.uid !== uid || !isCurrent(proof, user))
    throw new ApiError('mail_token_invalid', {
      reason: 'of another user, or the e-mail has changed since',
    });
  const { email } = proof;
  const moves = normalizeEmail(user.email) !== normalizeEmail(email);
  // The requesting session has ended since: by a new password, a sign-out, or the end of all sessions.
  const asker =
    proof.session_id === undefined || proof.session_id === session_id
      ? session
      : await requireAsker({ project_id, uid, session_id: proof.session_id }, now);
  // An attacker may have set up the user before. Only the sessions of the backend and the caller's own method stay.
  const kept = ['project', session.method];
  const isFirst = user.email !== '' && !user.verified.email;
  // A mailbox that the session has chosen proves nothing about the second factor: a thief of the session may own both.
  const keepsFactor = proof.purpose === 'change_email';
  const reset = isFirst ? await resetCredentials(user, kept, { keepsFactor }) : undefined;
  const holds = asker !== session && (!reset || kept.includes(asker.method));
  const writes = {
    proof: consumeToken(proof),
    session: sessionExists(uid, session_id),
    ...(holds && { asker: sessionExists(uid, asker.session_id) }),
    ...(moves && noticeTo(user, 'email_changed', { new_email: email }, now)),
  };
  const change = await changeUser(user, { email, email_verified: true, reset, writes }, now);
  return change.as(toUser);
});

/** Throws `mail_token_invalid` if the requesting session has ended. */
async function requireAsker(of: NamedSession, now: Date) {
  const asker = await findLiveSession(of, now);
  if (asker) return asker;
  throw new ApiError('mail_token_invalid', { reason: 'the session that asked has ended' });
}

/** True if the user still has the e-mail to verify, or to replace. */
function isCurrent({ purpose, email, from_email = '' }: MailTokenItem, user: UserItem): boolean {
  const expected = purpose === 'verify_email' ? email : from_email;
  return normalizeEmail(user.email) === normalizeEmail(expected);
}
