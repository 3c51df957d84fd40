import { expect, test } from 'vitest';
import { startStandIn } from '../support/provider-stand-in.ts';
import { newBrowser, personAt, providerProject, startOf } from '../support/providers.ts';
import { startWorld } from '../support/world.ts';

/**
 * Mix-up across projects (RFC 9700, section 4.4): providers with the same name share a redirect URI. An attacker who
 * runs the provider of their own project could redirect a victim to the honest provider of another project, with the
 * attacker's state. The returned code would go to the attacker's token endpoint, and be valid in a sign-in at the other
 * project that the attacker has started.
 */
const world = await startWorld();
const [honest, evil] = await Promise.all([startStandIn('oidc'), startStandIn('oidc')]);

test("a project cannot use the name of another project's provider, and so never receives the code for it", async () => {
  const acme = await providerProject(world, [honest]);
  const taken = `sign_in_providers.${honest.name}: The name stands for another issuer`;
  await expect(providerProject(world, [evil])).rejects.toThrow(taken);
  const other = await providerProject(world, [{ ...evil, name: 'evil' }]);
  const sign_in_providers = { [honest.name]: evil.settings };
  const { project_id } = other;
  await expect(world.operate({ action: 'update', project_id, sign_in_providers })).rejects.toThrow(
    taken,
  );

  // The victim starts at the other project, whose provider redirects to the honest one with the request that the
  // attacker started there.
  const victim = newBrowser(world.url);
  const begun = await victim.visit(startOf(world, other, 'evil').url);
  const state = new URL(begun.location ?? '').searchParams.get('state') ?? '';
  const attacker = newBrowser(world.url);
  const to = new URL((await attacker.visit(startOf(world, acme, honest.name).url)).location ?? '');
  to.searchParams.set('state', state);
  honest.is(personAt('oidc'));
  const callback = (await victim.visit(to.href)).location ?? '';
  expect(callback).toContain(`/oauth/${honest.name}/callback?`);
  expect(new URL(callback).searchParams.get('code')).not.toBeNull();
  const { status, location } = await victim.visit(callback);
  expect([status, location]).toEqual([400, undefined]);
  expect(evil.calls).toEqual([]);
});
