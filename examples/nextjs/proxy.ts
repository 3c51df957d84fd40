import { readAccessToken } from 'identity-workspace-client/cookies';
import { type NextRequest, NextResponse } from 'next/server';
import { auth, origin, service } from './auth';

/** Renews the session before a page, a server action or a route handler runs: a page that renders can set no cookie. */
export async function proxy(request: NextRequest) {
  const isChange = !/^(GET|HEAD|OPTIONS)$/.test(request.method);
  // Another site can make a browser send its cookie (CSRF).
  const isForeign = isChange && request.headers.get('origin') !== origin;
  if (isForeign && readAccessToken(request, service) !== undefined)
    return new NextResponse(null, { status: 403 });
  // While the service is away, an expired token is nobody's.
  const session = await auth.renew(request).catch(() => undefined);
  const response = NextResponse.next({ request: { headers: session?.headers ?? request.headers } });
  for (const cookie of session?.setCookies ?? []) {
    response.headers.append('set-cookie', cookie);
    // Also where the page is the same for everybody, and a CDN may keep it.
    response.headers.set('cache-control', 'private, no-store');
  }
  return response;
}

export const config = { matcher: '/((?!auth/|_next/static|_next/image).*)' };
