import type { Operation } from '../../../shared/contract/api.ts';
import { docsScripts } from '../../../shared/contract/docs.ts';
import type { World } from '../world.ts';
import type { Prepare } from './case.ts';
import { accountCases } from './cases-accounts.ts';
import { eventCases } from './cases-events.ts';
import { factorCases } from './cases-factors.ts';
import { joinCases } from './cases-joining.ts';
import { casesByKey, keyCases } from './cases-keys.ts';
import { metadataCases } from './cases-metadata.ts';
import { oauthCases } from './cases-oauth.ts';
import { pageCases } from './cases-pages.ts';
import { passkeyCases } from './cases-passkeys.ts';
import { providerCases } from './cases-providers.ts';
import { reauthenticationCases } from './cases-reauthenticate.ts';
import { casesByRole, ownRoleCases, roleCases } from './cases-roles.ts';
import { signInCases } from './cases-sign-in.ts';
import { workspaceCases } from './cases-workspaces.ts';

/** Calls of every endpoint: one for each kind of caller and each outcome that differs in cost. */
export function budgetCases(world: World): Record<Operation, Record<string, Prepare>> {
  const get =
    (path: string): Prepare =>
    async () => ({ method: 'GET', path });
  const hostedProject: Prepare = async () => {
    const { project_id } = await world.newProject({ hosted_pages: true });
    const path = `/projects/${project_id}`;
    await world.call('GET', path);
    return { method: 'GET', path };
  };
  const ofWorkspaces = workspaceCases(world);
  const byRole = casesByRole(world);
  const byOwnRole = ownRoleCases(world);
  const byKey = casesByKey(world);
  const ofSignIn = signInCases(world);
  const ofProviders = providerCases(world);
  const ofJoining = joinCases(world);
  return {
    ...accountCases(world),
    ...ofSignIn,
    ...ofProviders,
    'identities.link': { ...ofSignIn['identities.link'], ...ofProviders['identities.link'] },
    ...passkeyCases(world),
    ...factorCases(world),
    ...reauthenticationCases(world),
    ...byRole,
    ...byOwnRole,
    ...keyCases(world),
    ...ofWorkspaces,
    'workspaces.update': { ...ofWorkspaces['workspaces.update'], ...byKey['workspaces.update'] },
    'members.add': { ...ofWorkspaces['members.add'], ...byKey['members.add'] },
    'members.list': { ...ofWorkspaces['members.list'], ...byRole['members.list'] },
    'members.suspend': {
      ...ofWorkspaces['members.suspend'],
      ...byRole['members.suspend'],
      ...byOwnRole['members.suspend'],
    },
    'permissions.check': { ...byRole['permissions.check'], ...byOwnRole['permissions.check'] },
    ...roleCases(world),
    ...metadataCases(world),
    ...ofJoining,
    'invitations.create': { ...ofJoining['invitations.create'], ...byKey['invitations.create'] },
    ...eventCases(world),
    'projects.get': { Anyone: hostedProject },
    ...pageCases(world),
    ...oauthCases(world),
    'discovery.jwks': { Anyone: get('/.well-known/jwks.json') },
    'discovery.openidConfiguration': { Anyone: get('/.well-known/openid-configuration') },
    'discovery.oauthAuthorizationServer': {
      Anyone: get('/.well-known/oauth-authorization-server'),
    },
    'docs.home': { Anyone: get('/') },
    'docs.openapi': { Anyone: get('/openapi.json') },
    'docs.page': { Anyone: get('/docs') },
    'docs.asset': { Anyone: get(`/docs/${docsScripts.start}`) },
  };
}
