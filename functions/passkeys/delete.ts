import { passkeys } from '#shared/contract/passkeys.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { reauthenticate } from '#shared/identity/sign-in/reauthenticate.ts';
import { getPasskey, toPasskey } from '#shared/passkeys/passkeys.ts';
import { removePasskey } from '#shared/passkeys/remove.ts';

export const handler = endpoint(passkeys.delete, async ({ params, body, caller, now }) => {
  const [user, passkey] = await Promise.all([
    reauthenticate(caller, body.current_password, now),
    getPasskey(caller.uid, params.passkey_id),
  ]);
  const { project, session_id } = caller;
  const removed = await removePasskey({ user, session_id }, passkey, project, now);
  return removed.as(toPasskey);
});
