import { createHmac } from 'node:crypto';
import type { SignInProvider } from '../access/projects.ts';
import type { Claims } from '../identity/identities/identity-claims.ts';
import { baseOf, type PresetName } from '../model/provider-presets.ts';
import { graphOf } from './metadata.ts';

/** Reads a JSON resource of a person at the provider. */
export type ReadResource = (url: string) => Promise<unknown>;

/**
 * The claims of a person at a provider that speaks no OpenID Connect, from its own endpoints, under the names of OpenID
 * Connect. Undefined for an OpenID provider. Nothing is checked: `toIdentity` does.
 */
export async function claimsFromApi(
  provider: SignInProvider,
  read: ReadResource,
  token: Token,
): Promise<Claims | undefined> {
  return await readers[provider.preset]?.(baseOf(provider), read, token);
}

type Token = { access_token: string; secret: string };
const readers: Partial<
  Record<PresetName, (base: string, read: ReadResource, token: Token) => Promise<Claims>>
> = {
  github: (base, read) =>
    ofGithub(base === 'https://github.com' ? 'https://api.github.com' : `${base}/api/v3`, read),
  discord: async (base, read) => ofDiscord(await read(`${base}/api/users/@me`)),
  facebook: async (base, read, token) => ofFacebook(await read(facebookUrl(base, token))),
};

/**
 * https://docs.github.com/en/rest/users/emails: the e-mail of the profile may be any; only the list says what is
 * verified.
 */
async function ofGithub(api: string, read: ReadResource): Promise<Claims> {
  const [user, emails] = await Promise.all([read(`${api}/user`), read(`${api}/user/emails`)]);
  const { id, name, login, avatar_url } = Object(user) as Claims;
  const all = Array.isArray(emails) ? emails.map((each) => Object(each) as Claims) : [];
  const primary = all.find((each) => each['primary'] === true);
  return {
    sub: typeof id === 'number' && Number.isSafeInteger(id) ? String(id) : undefined,
    email: primary?.['email'],
    email_verified: primary?.['verified'] === true,
    name: name ?? login,
    picture: avatar_url,
  };
}

/** https://discord.com/developers/docs/resources/user */
function ofDiscord(user: unknown): Claims {
  const { id, username, global_name, avatar, email, verified } = Object(user) as Claims;
  const hasAvatar = typeof id === 'string' && typeof avatar === 'string';
  return {
    sub: id,
    email,
    email_verified: verified === true,
    name: global_name ?? username,
    ...(hasAvatar && { picture: `https://cdn.discordapp.com/avatars/${id}/${avatar}.png` }),
  };
}

/** https://developers.facebook.com/docs/graph-api/reference/user */
function ofFacebook(user: unknown): Claims {
  const { id, name, first_name, last_name, email, picture } = Object(user) as Claims;
  const { data } = Object(picture) as Claims;
  return {
    sub: id,
    email,
    name,
    given_name: first_name,
    family_name: last_name,
    picture: (Object(data) as Claims)['url'],
  };
}

/** The proof says that the token is used by the application it was made for, and not by who has stolen it. */
function facebookUrl(base: string, { access_token, secret }: Token): string {
  const fields = 'id,name,first_name,last_name,email,picture';
  const proof = createHmac('sha256', secret).update(access_token).digest('hex');
  return `${graphOf(base)}/me?fields=${fields}&appsecret_proof=${proof}`;
}
