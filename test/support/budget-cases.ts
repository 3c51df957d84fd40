import type { Operation } from '../../shared/contract/api.ts';
import { docsScripts } from '../../shared/contract/docs.ts';
import { accountCases } from './budget-cases-accounts.ts';
import { eventCases } from './budget-cases-events.ts';
import { joinCases } from './budget-cases-joining.ts';
import { signInCases } from './budget-cases-sign-in.ts';
import { workspaceCases } from './budget-cases-workspaces.ts';
import type { Prepare } from './budget-case.ts';
import type { World } from './world.ts';

/** A call of every endpoint, for each kind of caller and each way it can go that costs differently. */
export function budgetCases(world: World): Record<Operation, Record<string, Prepare>> {
  const get =
    (path: string): Prepare =>
    async () => ({ method: 'GET', path });
  return {
    ...accountCases(world),
    ...signInCases(world),
    ...workspaceCases(world),
    ...joinCases(world),
    ...eventCases(world),
    'discovery.jwks': { Anyone: get('/.well-known/jwks.json') },
    'discovery.openidConfiguration': { Anyone: get('/.well-known/openid-configuration') },
    'docs.home': { Anyone: get('/') },
    'docs.openapi': { Anyone: get('/openapi.json') },
    'docs.page': { Anyone: get('/docs') },
    'docs.asset': { Anyone: get(`/docs/${docsScripts.start}`) },
  };
}
