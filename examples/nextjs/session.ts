import 'server-only';
import { bearer, createClient } from 'identity-workspace-client';
import { readAccessToken } from 'identity-workspace-client/cookies';
import { createBackend, TokenError } from 'identity-workspace-client/server';
import { headers } from 'next/headers';
import { cache } from 'react';
import { service } from './auth';

const backend = createBackend(service);

/** Who asks, and the service as this user; undefined: nobody. All components of a request share the answer. */
export const currentSession = cache(async () => {
  const token = readAccessToken({ headers: await headers() }, service);
  if (token === undefined) return undefined;
  try {
    const user = await backend.verify(token);
    return { user, api: createClient(service.url, bearer(token)) };
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    console.warn(error.message);
    return undefined;
  }
});
