import { afterAll, describe, expect, test } from 'vitest';
import { presetNames } from '#shared/model/provider-presets.ts';
import { aUser } from '../../support/expectations.ts';
import { startStandIn } from '../../support/provider-stand-in.ts';
import { goThrough, providerProject, redeem, somebodyAt } from '../../support/providers.ts';
import { aSession } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const standIns = await Promise.all(presetNames.map((each) => startStandIn(each)));
afterAll(() => Promise.all(standIns.map((each) => each.close())));
const ours = await providerProject(world, standIns);

describe.each(standIns)('at $preset', (standIn) => {
  const { preset } = standIn;
  const name = preset === 'oidc' ? 'own' : preset;

  test.skipIf(preset === 'facebook')(
    '201 somebody new, with the profile that the provider tells',
    async () => {
      const person = somebodyAt(preset);
      const posted = JSON.stringify({ name: { firstName: 'Ada', lastName: 'Lovelace' } });
      standIn.is(person, preset === 'apple' ? posted : undefined);
      const came = await goThrough(world, ours, name, { query: { state: 'st ate&1' } });
      expect(came.given).toEqual({ from: 'provider', code: came.code, state: 'st ate&1' });
      const { status, body } = await redeem(ours, came);
      expect([status, body]).toEqual([201, body]);
      expect(body.user.verified.email).toBe(true);
      expect(body.user.display_name).toBe(preset === 'discord' ? 'Ada' : 'Ada Lovelace');
      const { display_name, name: full, thumbnail_url, created_at } = body.user;
      const user = aUser({
        ...{ uid: body.uid, project_id: ours.project_id, email: person.email },
        ...{ social: name, sign_in_methods: { [name]: { enabled: true } } },
        ...{ verified: { email: true }, display_name, name: full, thumbnail_url, created_at },
      });
      expect(body).toEqual(aSession(user, true));
    },
  );
});
