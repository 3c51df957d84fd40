import { passkeys } from '#shared/contract/passkeys.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { confirmSession } from '#shared/identity/reauthenticate.ts';
import { toPasskey } from '#shared/passkeys/passkeys.ts';
import { removePasskey } from '#shared/passkeys/remove.ts';

export const handler = endpoint(passkeys.delete, async ({ params, body, caller, now }) => {
  const user = await confirmSession(caller, body.current_password, now);
  return (await removePasskey(user, params.passkey_id, caller.project, now)).as(toPasskey);
});
