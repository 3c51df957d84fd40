import { expect, test } from 'vitest';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();

test('200 the same document as for OpenID Connect, with a cache lifetime', async () => {
  const [ours, theirs] = await Promise.all(
    ['oauth-authorization-server', 'openid-configuration'].map((name) =>
      world.call('GET', `/.well-known/${name}`),
    ),
  );
  expect(ours).toMatchObject({ status: 200, body: theirs!.body });
  expect(ours!.headers.get('cache-control')).toBe('public, max-age=300');
});
