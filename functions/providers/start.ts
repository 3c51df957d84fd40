import { countDoorRequest } from '#shared/access/door-rate-limit.ts';
import { providers } from '#shared/contract/providers.ts';
import { consumeRateLimit, networkKey } from '#shared/db/rate-limits.ts';
import { endpoint } from '#shared/http/page-endpoint.ts';
import { redirectTo } from '#shared/http/reply.ts';
import { requirePublicProject } from '#shared/identity/sign-in/sign-in.ts';
import {
  backAtOnce,
  elsewhere,
  providerOfStart,
  startAtProvider,
} from '#shared/providers/start.ts';

export const handler = endpoint(providers.start, async ({ params, query, client, path, now }) => {
  const { project_id } = query;
  const { host, cookies, address } = client;
  await countDoorRequest(project_id, providers.start.name, address, now);
  const project = await requirePublicProject(project_id);
  const there = elsewhere(project, { host, path, query });
  if (there !== undefined) return redirectTo(there);
  const provider = providerOfStart(project, params.provider, query);
  // It was switched off while a page with its button was open.
  if (!provider) return redirectTo(backAtOnce(query, 'sign_in_method_disabled'));
  await consumeRateLimit('providerStartsFromOne', networkKey(project_id, address), now);
  const started = await startAtProvider(provider, { name: params.provider, query, cookies }, now);
  return started.as((departure) => redirectTo(departure.location, departure));
});
