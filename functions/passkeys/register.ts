import { passkeys } from '#shared/contract/passkeys.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { requirePasskeys } from '#shared/passkeys/options.ts';
import { toPasskey } from '#shared/passkeys/passkeys.ts';
import { register } from '#shared/passkeys/register.ts';

/** The name of a passkey whose user gives it none. */
const unnamed = 'Passkey';

export const handler = endpoint(passkeys.register, async ({ body, caller, now }) => {
  const { credential, name = unnamed } = body;
  requirePasskeys(caller.project);
  return (await register(caller, { credential, name }, now)).as(toPasskey);
});
