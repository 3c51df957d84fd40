import { passkeys } from '#shared/contract/passkeys.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { replyPage } from '#shared/http/reply.ts';
import { listPasskeys, toPasskey } from '#shared/passkeys/passkeys.ts';

export const handler = endpoint(passkeys.list, async ({ caller }) =>
  replyPage((await listPasskeys(caller.uid)).map(toPasskey)),
);
