import { keys } from '../../shared/db/keys.ts';
import { type StandIn, startOther, startStandIn } from './provider-stand-in.ts';
import { goThrough, personAt, providerProject, redeem } from './providers.ts';
import type { SignIn } from './sign-in.ts';
import type { World } from './world.ts';

/** A project that stores the tokens of one provider, whose access tokens are valid for an hour by default. */
export async function keepingProject(
  world: World,
  preset: 'google' | 'oidc' | 'github' | 'gitlab',
  settings: object = {},
) {
  const isOnlyOne = preset === 'google' || preset === 'gitlab';
  const standIn = await (isOnlyOne ? startStandIn(preset) : startOther(preset));
  const ours = await providerProject(world, [standIn], settings, { keep_tokens: true });
  return { ...ours, standIn, name: standIn.name };
}
export type Keeping = SignIn & { standIn: StandIn; name: string };

/** Signs in a user at the provider: the session, the person there, and the item with the tokens. */
export async function signedInThere(
  world: World,
  ours: Keeping,
  { behave = {}, query = {}, somebody = personAt(ours.standIn.preset) } = {},
) {
  const { standIn, name } = ours;
  standIn.is(somebody);
  standIn.behave(behave);
  const { body, status } = await redeem(ours, await goThrough(world, ours, name, { query }));
  standIn.behave();
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  const person = ours.person(body);
  const subject = String(somebody['sub'] ?? somebody['id']);
  const at = keys.providerTokens(ours.project_id, standIn.issuer, subject);
  const path = (user: string) => `/users/${user}/identities/${name}/token`;
  return {
    ...person,
    somebody,
    at,
    kept: () => world.table.get(at),
    /** Requests the token, by default as the user. */
    token: (auth = person.bearer) => world.call({ method: 'GET', path: path('me'), auth }),
    byBackend: (auth = ours.project.basic) =>
      world.call({ method: 'GET', path: path(person.uid), auth }),
  };
}

/** The refresh requests that a provider received. */
export const refreshesOf = ({ calls }: StandIn) =>
  calls.map(({ body }) => new URLSearchParams(body)).filter((each) => each.has('refresh_token'));
