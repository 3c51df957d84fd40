import { users } from '#shared/contract/users.ts';
import { notFound } from '#shared/errors.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { reply } from '#shared/http/reply.ts';
import { createUserWithoutEmail, findUser, newUser } from '#shared/table/users.ts';
import { viewUser } from '#shared/views.ts';

export const handler = endpoint(users.get, async ({ params, caller, now }) => {
  const { project_id, project } = caller;
  const found = await findUser(params.uid);
  if (found?.project_id === project_id) return viewUser(found);
  if (found || !project.create_users_on_get) throw notFound();
  const user = await newUser(project_id, params.uid, now);
  await createUserWithoutEmail(user);
  return reply(viewUser(user), { status: 201 });
});
