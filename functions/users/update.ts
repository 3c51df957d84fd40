import { users } from '#shared/contract/users.ts';
import { Failure, notFound } from '#shared/errors.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { changeEmail, requireUser, updateUser } from '#shared/table/users.ts';
import { viewUser } from '#shared/views.ts';

export const handler = endpoint(users.update, async ({ params, body, caller, now }) => {
  const { email, ...profile } = body;
  const { project_id } = caller;
  if (caller.kind === 'person' && params.uid !== caller.uid) throw notFound();
  if (email === undefined) return viewUser(await updateUser(project_id, params.uid, profile, now));
  if (caller.kind === 'person')
    throw new Failure('forbidden', { detail: "Only the project's back end may change an e-mail" });
  const user = await requireUser(project_id, params.uid);
  return viewUser(await changeEmail(user, email, profile, now));
});
