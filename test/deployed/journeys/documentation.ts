import { equal, ok } from 'node:assert/strict';
import { docsAssets } from '../../../shared/contract/docs.ts';
import type { World } from '../world.ts';

/** Public resources: the keys, the documentation. */
export async function documentation(world: World, baseUrl: string): Promise<void> {
  const { checks, anyone } = world;
  await checks.check('the issuer and its keys are served', async () => {
    const { body } = await anyone.discovery.openidConfiguration({});
    equal(body.issuer, baseUrl);
    ok((await anyone.discovery.jwks({})).body.keys.length >= 1);
  });
  await checks.check('the documentation and its files are served', async () => {
    // Through a redirect, which fetch follows.
    ok((await anyone.docs.home({})).body.includes('<'));
    ok((await anyone.docs.page({})).body.includes('<'));
    for (const file of docsAssets) ok((await anyone.docs.asset({ file })).body.length > 0, file);
    await anyone.docs.openapi({});
  });
}
