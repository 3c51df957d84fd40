import { readAccessToken } from 'identity-workspace-client/cookies';
import { type Claims, createBackend, TokenError } from 'identity-workspace-client/server';
import { headers } from 'next/headers';
import { service } from './service';

const backend = createBackend(service);

/**
 * Who asks for this page, for a server component. Undefined: nobody, or the token has expired, or another site has led
 * here; the code in the browser then looks for the session, and reloads the data of the page.
 */
export async function currentUser(): Promise<Claims | undefined> {
  const token = readAccessToken({ headers: await headers() }, service);
  if (token === undefined) return undefined;
  try {
    return await backend.verify(token);
  } catch (error) {
    if (error instanceof TokenError) return undefined;
    throw error;
  }
}
