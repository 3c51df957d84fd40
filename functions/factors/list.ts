import { factors } from '#shared/contract/factors.ts';
import { getFactor, toFactor } from '#shared/factors/factors.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { replyPage } from '#shared/http/reply.ts';

export const handler = endpoint(factors.list, async ({ caller }) => {
  const factor = await getFactor(caller.uid);
  return replyPage(factor ? [toFactor(factor)] : []);
});
