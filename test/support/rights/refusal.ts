import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { grants } from '../../../lib/functions.ts';
import type { Grant } from '../../../lib/grant.ts';
import { routes } from '../../../shared/contract/api.ts';
import type { FunctionName } from '../../../shared/contract/functions.ts';
import { type Route, takesIdempotencyKey } from '../../../shared/contract/route.ts';
import { keys } from '../../../shared/db/keys.ts';
import { credentialFor } from '../../contract/calls.ts';
import { sampleOf } from '../../contract/samples.ts';
import { expectProblem } from '../expectations.ts';
import { pathOf } from '../routes.ts';
import { sessionIdOf } from '../started.ts';
import type { Person, World } from '../world.ts';

const changing = routes.filter(takesIdempotencyKey);

/** Grants with which the routes that write can authenticate, read and release idempotency keys, but not write. */
export const withoutOwnWork = Object.fromEntries(
  changing.map(({ name }) => [
    name,
    {
      // An import reports failed writes per user, and fails only if it cannot read.
      get: name === 'users.import' ? ['projects'] : (grants[name].get ?? []),
      query: ['keys'],
      put: ['secretUses', 'idempotency'],
      update: ['idempotency'],
      delete: ['idempotency'],
    } satisfies Grant,
  ]),
) as { [F in FunctionName]?: Grant };

/** Rejected requests with an Idempotency-Key, which release it; and requests of a session that has ended. */
export async function useRefusals(world: World, person: Person, ended: Person): Promise<void> {
  const call = (route: Route, auth: string | undefined) => {
    const { params, query, body } = sampleOf(route);
    const headers = { 'idempotency-key': randomUUID() };
    const path = pathOf(route, params);
    return world.call({ method: route.method, path, query, body, headers, auth });
  };
  await world.table.delete(keys.session(ended.uid, sessionIdOf(ended)));
  await Promise.all(
    changing.map(async (route) => {
      const { status } = await call(route, credentialFor(route, world, person));
      expect(status, route.name).toBeGreaterThanOrEqual(400);
    }),
  );
  for (const route of changing.filter(({ auth }) => auth.includes('access')))
    expectProblem(await call(route, ended.bearer), 'unauthenticated');
}
