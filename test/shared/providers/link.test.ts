import { describe, expect, test } from 'vitest';
import { expectProblem, onlyAt } from '../../support/expectations.ts';
import { startStandIn } from '../../support/provider-stand-in.ts';
import { goThrough, personAt, providerProject } from '../../support/providers.ts';
import { type Person, startWorld } from '../../support/world.ts';

const world = await startWorld();

describe('POST /users/me/identities with the code of a sign-in at the provider', () => {
  test('200 links the account once; a refusal leaves the code valid until it expires', async () => {
    const standIn = await startStandIn('google');
    const ours = await providerProject(world, [standIn]);
    const { project } = ours;
    const person = personAt('google');
    standIn.is(person);
    const victim = await world.user({ email: person.email, project });
    const { code, code_verifier } = await goThrough(world, ours, 'google');
    const link = (by: Person, more: object = {}) =>
      world.call({
        ...{ method: 'POST', path: '/users/me/identities', auth: by.bearer },
        body: { provider: 'google', code, code_verifier, ...more },
      });
    const refused = await ours.post('/sessions/oauth', { code, code_verifier });
    expectProblem(refused, 'identity_link_required');
    const wrong = { code_verifier: 'x'.repeat(43) };
    expectProblem(await link(victim, wrong), 'identity_token_invalid');
    expectProblem(await link(victim, { provider: 'github' }), 'sign_in_method_disabled');
    const linked = await link(victim);
    expect([linked.status, linked.body.sign_in_methods.google]).toEqual([200, { enabled: true }]);
    expectProblem(await link(victim), 'identity_token_invalid');

    // Another account at the provider, and an account of another user: rejected, and the code is not used.
    standIn.is(personAt('google'));
    const second = await goThrough(world, ours, 'google');
    const of = { code: second.code, code_verifier: second.code_verifier };
    expectProblem(await link(victim, of), 'identity_conflict');
    const other = await world.user({ project });
    expect((await link(other, of)).status).toBe(200);
    // Linking the same account again changes nothing, but uses its code.
    const third = await goThrough(world, ours, 'google');
    const again = { code: third.code, code_verifier: third.code_verifier };
    expect((await link(other, again)).status).toBe(200);
    expectProblem(await link(other, again), 'identity_token_invalid');
  });

  test('400 with neither an ID token nor a code, with both, or without the verifier', async () => {
    const google = { issuer: world.url, jwks_uri: `${world.url}/jwks`, client_ids: ['x'] };
    const project = await world.newProject({ identity_providers: { google } });
    const { bearer: auth } = await world.user({ project });
    const [code, code_verifier] = ['x'.repeat(43), 'x'.repeat(43)];
    for (const [body, pointer] of [
      [{}, '/body/id_token'],
      [{ id_token: 'x', code, code_verifier }, '/body/id_token'],
      [{ code }, '/body/code_verifier'],
    ] as const) {
      const given = { provider: 'google', ...body };
      const answer = await world.call({
        method: 'POST',
        path: '/users/me/identities',
        auth,
        body: given,
      });
      expectProblem(answer, 'invalid_request', onlyAt(pointer));
    }
  });
});
