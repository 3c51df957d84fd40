import type { World } from '../world.ts';
import type { Prepare } from './case.ts';

const hash = `$2b$10$${'.'.repeat(53)}`;
const google = {
  issuer: 'https://accounts.example.com',
  jwks_uri: 'https://accounts.example.com/keys',
  client_ids: ['id'],
};
const row = (n: number) => ({
  email: `imported-${n}@example.com`,
  email_verified: true,
  external_id: `imported-${n}`,
  password_hash: hash,
  display_name: 'Ada King',
  app_metadata: { plan: 'pro' },
  identities: [{ provider: 'google', subject: `imported-${n}` }],
});

/** Imports of one user and of twenty, which cost twenty times as much. */
export function importCases(world: World): Record<string, Prepare> {
  const send =
    (count: number): Prepare =>
    async () => {
      const project = await world.newProject({ identity_providers: { google } });
      // The first import of a kind of hash also records the kind.
      const first = { users: [row(-1)] };
      await world.as(project).users.import(first);
      const users = Array.from({ length: count }, (_, n) => row(n));
      return { method: 'POST', path: '/users/import', auth: project.basic, body: { users } };
    };
  return {
    'Basic, 1 new user with a password and an identity': send(1),
    'Basic, 20 new users with passwords and identities': send(20),
    'Basic, a user who exists': async () => {
      const project = await world.newProject({ identity_providers: { google } });
      const body = { users: [row(0)] };
      await world.as(project).users.import(body);
      return { method: 'POST', path: '/users/import', auth: project.basic, body };
    },
  };
}
