import { passkeys } from '#shared/contract/passkeys.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { toPasskey } from '#shared/passkeys/passkeys.ts';
import { renamePasskey } from '#shared/passkeys/remove.ts';

export const handler = endpoint(passkeys.rename, async ({ params, body, caller }) =>
  renamePasskey(caller.uid, params.passkey_id, body.name).as(toPasskey),
);
