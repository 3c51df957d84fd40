import { settingsOf } from './identities.ts';
import { startOpenidProvider } from './openid-provider.ts';
import { signInProject } from './sign-in.ts';
import type { World } from './world.ts';

/** Two providers; each `fresh` project trusts both, as `google` and as `other`. */
export async function twoProviders(world: World) {
  const [google, other] = await Promise.all([startOpenidProvider(), startOpenidProvider()]);
  const identity_providers = { google: settingsOf(google), other: settingsOf(other) };
  const fresh = (settings: object = {}) =>
    signInProject(world, { identity_providers, ...settings });
  return { google, other, identity_providers, fresh };
}
