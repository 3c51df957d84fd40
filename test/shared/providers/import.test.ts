import { expect, test } from 'vitest';
import { startStandIn } from '../../support/provider-stand-in.ts';
import { personAt, providerProject, signInAt } from '../../support/providers.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const standIns = await Promise.all([startStandIn('github'), startStandIn('microsoft')]);
const [github] = standIns;

test('an imported account at a provider by redirect signs its user in', async () => {
  const ours = await providerProject(world, standIns);
  const person = personAt('github');
  const { body } = await world.as(ours.project).users.import({
    users: [
      { external_id: 'crm-1', identities: [{ provider: 'github', subject: String(person['id']) }] },
    ],
  });
  expect(body).toMatchObject({ created: 1, failed: 0 });
  const { uid } = body.results[0] as { uid: string };
  const unverified = { ...person, emails: [] };
  const signedIn = await signInAt(world, ours, github, unverified);
  expect([signedIn.status, signedIn.body.uid]).toEqual([201, uid]);
});

test('an account without one tenant of Microsoft, or of an unknown provider, is refused', async () => {
  const ours = await providerProject(world, standIns);
  const row = (provider: string) => ({
    external_id: provider,
    identities: [{ provider, subject: 'x' }],
  });
  const { body } = await world.as(ours.project).users.import({
    users: [row('microsoft'), row('google')],
  });
  expect(body.results).toMatchObject([
    {
      errors: [
        {
          pointer: '/body/users/0/identities/0/provider',
          detail: expect.stringContaining('tenant'),
        },
      ],
    },
    {
      errors: [
        {
          pointer: '/body/users/1/identities/0/provider',
          detail: 'Must be an identity provider of the project',
        },
      ],
    },
  ]);
});
