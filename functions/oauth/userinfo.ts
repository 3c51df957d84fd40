import { oauth } from '#shared/contract/oauth.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { userInfo } from '#shared/oauth/user-info.ts';

export const handler = endpoint(oauth.userinfo, async ({ caller }) => userInfo(caller));
