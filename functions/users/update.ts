import { users } from '#shared/contract/users.ts';
import { Failure, invalid, notFound } from '#shared/errors.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { agreedAt, changeUser, updateUser } from '#shared/table/user-changes.ts';
import { requireUser } from '#shared/table/users.ts';
import { viewUser } from '#shared/views.ts';

export const handler = endpoint(users.update, async ({ params, body, caller, match, now }) => {
  const { email, email_verified, disabled, agreed_terms, ...rest } = body;
  const profile = { ...rest, ...agreedAt(agreed_terms, now) };
  const { project_id } = caller;
  if (caller.kind === 'person' && params.uid !== caller.uid) throw notFound();
  if (email === undefined && email_verified)
    throw invalid('/body/email_verified', 'Must come together with email');
  if (match) {
    const user = await requireUser(project_id, params.uid);
    match(user, viewUser(user));
  }
  if (email === undefined && disabled === undefined)
    return viewUser(await updateUser(project_id, params.uid, profile, now));
  if (caller.kind === 'person')
    throw new Failure('forbidden', {
      detail: "Only the project's back end may change an e-mail here, or disable a user",
    });
  const user = await requireUser(project_id, params.uid);
  return viewUser(await changeUser(user, { email, email_verified, disabled, profile }, now));
});
