/** Of the package `expo-web-browser` what the guide to mobile apps uses, with a browser in which a new user signs in. */

type Answer = { type: 'success'; url: string } | { type: 'cancel' };

export async function openAuthSessionAsync(address: string, redirectUrl: string): Promise<Answer> {
  const { origin, searchParams } = new URL(address);
  const [project_id = ''] = (searchParams.get('client_id') ?? '').split('.');
  const page = await follow(address);
  if (!page.startsWith(`${origin}/pages/${project_id}/sign-in`)) throw new Error(page);
  const back = await follow(address, await signIn(origin, project_id));
  return back.startsWith(redirectUrl) ? { type: 'success', url: back } : { type: 'cancel' };
}

/** Where an address leads. */
async function follow(address: string, cookie = ''): Promise<string> {
  const { headers } = await fetch(address, { redirect: 'manual', headers: { cookie } });
  return new URL(headers.get('location') ?? '', address).href;
}

/** What the sign-in page leaves in the browser: the cookie of its session. */
async function signIn(origin: string, project_id: string): Promise<string> {
  const credential = await (await fetch(`${origin}/_local/credential`)).text();
  const authorization = `Basic ${Buffer.from(credential.trim()).toString('base64')}`;
  const post = async (path: string, body: object) => {
    const headers = { authorization, 'content-type': 'application/json' };
    const response = await fetch(origin + path, {
      ...{ method: 'POST', headers, body: JSON.stringify(body) },
    });
    return (await response.json()) as { uid: string; refresh_token: string };
  };
  const email = `ada.${Date.now()}@mobile.example.com`;
  const { uid } = await post('/users', { email, email_verified: true });
  const { refresh_token } = await post('/sessions', { uid });
  const { headers } = await fetch(`${origin}/pages/${project_id}/session`, {
    method: 'POST',
    headers: { authorization: `Bearer ${refresh_token}`, 'sec-fetch-site': 'same-origin' },
  });
  return headers.getSetCookie()[0]?.split(';')[0] ?? '';
}
