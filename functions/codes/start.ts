import { mailCode } from '#shared/auth/mailing.ts';
import { requireOffering } from '#shared/auth/sign-in.ts';
import { codes } from '#shared/contract/codes.ts';
import { endpoint } from '#shared/http/endpoint.ts';

export const handler = endpoint(codes.start, async ({ body, client }) => {
  const { project_id, email } = body;
  await requireOffering(project_id, 'code_sign_in');
  return mailCode({ project_id, email, address: client.address });
});
