import { identityProviderOf, type Project, providerOf } from '../../access/projects.ts';
import { ApiError } from '../../model/errors.ts';
import { hasAccountsOf } from '../../model/provider-presets.ts';
import {
  isUsablePasskey,
  type PasskeyItem,
  passkeyMethod,
  passkeysOf,
} from '../../passkeys/passkeys.ts';
import type { UserItem } from '../users/users.ts';

/** What a user is about to lose: the account at a provider, or a passkey. */
type Removed = { provider: string } | Pick<PasskeyItem, 'passkey_id'>;

/**
 * Throws `last_sign_in_method` if a user could not sign in any more without one of their methods. With a verified
 * e-mail they still can, if the project mails codes or links. What the project has switched off since is no way in, nor
 * is an account at another issuer or a passkey of another RP ID than those of its settings now. Passkeys are read only
 * where nothing else is left. Only complete in a transaction that requires the user's version.
 */
export async function requireAnotherMethod(
  user: UserItem,
  removed: Removed,
  project: Project,
): Promise<void> {
  const { verified, sign_in_methods = {} } = user;
  const { code_sign_in, link_sign_in, password_sign_in } = project;
  if (verified.email && (code_sign_in || link_sign_in || password_sign_in)) return;
  const methods = Object.keys(sign_in_methods);
  const others =
    'provider' in removed ? methods.filter((each) => each !== removed.provider) : methods;
  if (others.some((method) => signsIn(method, user, project))) return;
  if (others.includes(passkeyMethod) && (await hasPasskey(user, removed, project))) return;
  throw new ApiError('last_sign_in_method');
}

/** Whether a project signs a user in by a method that the user has, other than a passkey. */
function signsIn(method: string, { identities }: UserItem, project: Project): boolean {
  if (method === 'idpw') return project.password_sign_in === true;
  const account = identities?.[method];
  if (!account) return false;
  const { issuer } = account;
  const byToken = identityProviderOf(project, method);
  const byRedirect = providerOf(project, method);
  return byToken?.issuer === issuer || (!!byRedirect && hasAccountsOf(byRedirect, issuer));
}

async function hasPasskey(user: UserItem, removed: Removed, project: Project): Promise<boolean> {
  if (!project.passkeys) return false;
  const removedId = 'passkey_id' in removed ? removed.passkey_id : undefined;
  const passkeys = await passkeysOf(user);
  return passkeys.some((each) => each.passkey_id !== removedId && isUsablePasskey(each, project));
}
