import { expect } from 'vitest';
import { keys } from '../../shared/db/keys.ts';
import type { Answer, Call } from './call.ts';
import { startStandIn } from './provider-stand-in.ts';
import { setSecret, startOf } from './providers.ts';
import type { SignIn, Started } from './sign-in.ts';
import type { World } from './world.ts';

type Tools = {
  insist: (request: Call) => Promise<Answer>;
  say: (request: Call) => Promise<Answer>;
  sent: (name: string, secret: string) => string;
  brought: (by: 'answers', name: string, secret: string) => string;
  /** Expires the instance's cache of the project. */
  later: () => void;
  started: (answer: Promise<Answer<Started>>) => Promise<{ bearer: string; uid: string }>;
};

/** Signs in at a provider by redirect, while the table fails. */
export async function signInByRedirect(
  world: World,
  home: SignIn,
  { insist, say, sent, brought, started, later }: Tools,
): Promise<void> {
  const standIn = await startStandIn('oidc');
  const { project_id } = home;
  const sign_in_providers = {
    redirecting: { ...standIn.settings, keep_tokens: true },
  };
  const return_urls = ['https://app.example.com/signed-in?from=provider'];
  await world.operate({ action: 'update', project_id, sign_in_providers, return_urls });
  later();
  sent('a client secret at a provider', standIn.secret);
  await setSecret(world, home, standIn, { name: 'redirecting' });
  standIn.is({ sub: 'redirected', email: 'redirected@example.com', email_verified: true });
  const { url, code_verifier } = startOf(world, home, 'redirecting');
  sent('the verifier of a page', code_verifier);
  const begun = await insist({ method: 'GET', path: url.slice(world.url.length) });
  const [cookie = ''] = begun.headers.getSetCookie()[0]?.split(';') ?? [];
  brought('answers', 'the cookie of a sign-in at a provider', cookie.split('=')[1] ?? '');
  const page = new URL(begun.headers.get('location') ?? '');
  brought('answers', 'the state of a sign-in at a provider', page.searchParams.get('state') ?? '');
  brought('answers', 'the nonce of a sign-in at a provider', page.searchParams.get('nonce') ?? '');
  const consent = await fetch(page, { redirect: 'manual' });
  const back = new URL(consent.headers.get('location') ?? '');
  sent('the code of a provider', back.searchParams.get('code') ?? '');
  standIn.behave({ expires_in: 0 });
  const landed = await say({
    method: 'GET',
    path: back.pathname + back.search,
    headers: { cookie },
  });
  standIn.behave();
  const code = new URL(landed.headers.get('location') ?? '').searchParams.get('code') ?? '';
  brought('answers', 'the code of a sign-in at a provider', code);
  expect(await world.table.get(keys.providerCode(code))).toBeDefined();
  const body = { project_id, code, code_verifier };
  const { bearer, uid } = await started(insist({ method: 'POST', path: '/sessions/oauth', body }));
  // Each access token has expired on arrival, so the next read refreshes it.
  standIn.behave({ expires_in: 0 });
  const read = async (whose: string, auth: string) => {
    const path = `/users/${whose}/identities/redirecting/token`;
    const { body: kept } = await insist({ method: 'GET', path, auth });
    brought('answers', 'a refreshed token of the provider', kept.access_token);
    return kept.access_token as string;
  };
  const given = [await read('me', bearer), await read(uid, home.project.basic)];
  for (const each of standIn.made)
    if (!given.includes(each)) sent('a token of the provider that nobody asked for', each);
  standIn.behave();
  const calls = standIn.calls.map(({ body: text }) => new URLSearchParams(text));
  const redeemed = calls.find((each) => each.has('code_verifier'));
  sent('our verifier at a provider', redeemed?.get('code_verifier') ?? '');
}
