import { emails } from '#shared/contract/emails.ts';
import { normalizeEmail } from '#shared/email.ts';
import { Failure } from '#shared/errors.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { type MailTokenItem, requireMailToken, useUp } from '#shared/table/mail-proofs.ts';
import { newMail } from '#shared/table/mails.ts';
import { changeUser } from '#shared/table/user-changes.ts';
import { getUser, type UserItem } from '#shared/table/users.ts';
import { create } from '#shared/table/write.ts';
import { viewUser } from '#shared/views.ts';

export const handler = endpoint(emails.confirm, async ({ body, caller, now }) => {
  const { project_id, uid } = caller;
  const [proof, user] = await Promise.all([
    requireMailToken(body.token, project_id, ['verify_email', 'change_email'], now),
    getUser(project_id, uid),
  ]);
  if (!user) throw new Failure('unauthenticated');
  // Only the user who asked: a token that reaches somebody else by a mistyped address opens nothing to them.
  if (proof.uid !== uid || !isCurrent(proof, user)) throw new Failure('mail_token_invalid');
  const { email } = proof;
  const from = { project_id, to: user.email, new_email: email };
  const tells = user.email !== '' && normalizeEmail(user.email) !== normalizeEmail(email);
  const writes = {
    proof: useUp(proof),
    ...(tells && { notice: create(newMail('email_changed', from, now)) }),
  };
  return viewUser(await changeUser(user, { email, email_verified: true, writes }, now));
});

/** Whether the user still has the e-mail that is to be proven, or to be replaced. */
function isCurrent({ purpose, email, from_email = '' }: MailTokenItem, user: UserItem): boolean {
  const expected = purpose === 'verify_email' ? email : from_email;
  return normalizeEmail(user.email) === normalizeEmail(expected);
}
