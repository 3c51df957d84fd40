import { describe, expect, test, vi } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { type PresetName, presetNames } from '#shared/model/provider-presets.ts';
import { aUser, expectProblem } from '../../support/expectations.ts';
import { type StandIn, startOther, startStandIn } from '../../support/provider-stand-in.ts';
import { goThrough, personAt, providerProject, redeem, signInAt } from '../../support/providers.ts';
import { aSession, atWindow } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const standIns = await Promise.all(presetNames.map((each) => startStandIn(each)));
const ours = await providerProject(world, standIns);
const standInOf = (preset: PresetName) => standIns[presetNames.indexOf(preset)] as StandIn;

describe.each(standIns)('at $preset', (standIn) => {
  const { preset, name } = standIn;

  test.skipIf(preset === 'facebook')(
    "201 creates a new user with the provider's profile",
    async () => {
      const person = personAt(preset);
      const posted = JSON.stringify({ name: { firstName: 'Ada', lastName: 'Lovelace' } });
      standIn.is(person, preset === 'apple' ? posted : undefined);
      const came = await goThrough(world, ours, name, { query: { state: 'st ate&1' } });
      expect(came.given).toEqual({ from: 'provider', code: came.code, state: 'st ate&1' });
      const { status, body } = await redeem(ours, came);
      expect([status, body]).toEqual([201, body]);
      // These presets are authoritative for the e-mail: it is at gmail.com, or the operator vouches for the provider.
      const email = ['google', 'microsoft', 'github', 'gitlab', 'oidc'].includes(preset);
      expect(body.user.display_name).toBe(preset === 'discord' ? 'Ada' : 'Ada Lovelace');
      const { display_name, name: full, thumbnail_url, created_at } = body.user;
      const user = aUser({
        ...{ uid: body.uid, project_id: ours.project_id, email: person.email },
        ...{ social: name, sign_in_methods: { [name]: { enabled: true } } },
        ...{ verified: { email }, display_name, name: full, thumbnail_url, created_at },
      });
      expect(body).toEqual(aSession(user, true));
    },
  );
});

describe('a code', () => {
  const google = standInOf('google');
  const fresh = async (settings: object = {}) => {
    const project = await providerProject(world, standIns, settings);
    google.is(personAt('google'));
    return { project, came: await goThrough(world, project, 'google') };
  };

  test('signs in once, even with concurrent requests', async () => {
    const { project, came } = await fresh();
    const answers = await Promise.all(Array.from({ length: 8 }, () => redeem(project, came)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201,
      ...Array(7).fill(401),
    ]);
    expectProblem(await redeem(project, came), 'identity_token_invalid');
  });

  test('401 with another verifier, in another project or after five minutes, but still works for its own page', async () => {
    const { project, came } = await fresh();
    const other = await providerProject(world, standIns);
    const code_verifier = 'x'.repeat(43);
    expectProblem(await redeem(project, { ...came, code_verifier }), 'identity_token_invalid');
    expectProblem(await redeem(other, came), 'identity_token_invalid');
    expect((await redeem(project, came)).status).toBe(201);
    const late = await fresh();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 300_000 });
    expectProblem(await redeem(late.project, late.came), 'identity_token_invalid');
  });

  test('401 for an unknown code, 400 for a malformed code or verifier', async () => {
    const { project, came } = await fresh();
    expectProblem(
      await redeem(project, { ...came, code: 'x'.repeat(43) }),
      'identity_token_invalid',
    );
    expect((await redeem(project, { ...came, code: 'x' })).status).toBe(400);
    expect((await redeem(project, { ...came, code_verifier: 'x' })).status).toBe(400);
  });

  test('403 while the provider or sign-up is off; the code stays valid', async () => {
    const { project, came } = await fresh();
    const { project_id } = project;
    const later = () => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    await world.operate({ action: 'update', project_id, sign_in_providers: null });
    later();
    expectProblem(await redeem(project, came), 'sign_in_method_disabled');
    const sign_in_providers = { google: google.settings };
    await world.operate({ action: 'update', project_id, sign_in_providers, sign_up: false });
    later();
    expectProblem(await redeem(project, came), 'sign_up_disabled');
    await world.operate({ action: 'update', project_id, sign_up: true });
    later();
    expect((await redeem(project, came)).status).toBe(201);
  });

  test('403 for a code of a former issuer of the same provider name', async () => {
    const { name, settings } = standInOf('oidc');
    const project = await providerProject(world, standIns);
    const { project_id } = project;
    standInOf('oidc').is(personAt('oidc'));
    const came = await goThrough(world, project, name);
    const at = keys.project(project_id);
    const { sign_in_providers: before } = (await world.table.get(at)) as {
      sign_in_providers: object;
    };
    const other = { ...settings, issuer: 'https://other.example.com' };
    // An operator may do so if no other project uses the name. The rest stays: the worker's next file takes each name
    // from the project that has it.
    await world.table.update(at, { sign_in_providers: { ...before, [name]: other } });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    expectProblem(await redeem(project, came), 'sign_in_method_disabled');
    const ada = await world.user({ project: project.project });
    const { code, code_verifier } = came;
    const linked = await world.as(ada).identities.link({ provider: name, code, code_verifier });
    expectProblem(linked, 'sign_in_method_disabled');
  });

  test('200 asks for the second factor if the project requires one, and uses up the code', async () => {
    const { project, came } = await fresh({ mfa: 'required' });
    const { status, body } = await redeem(project, came);
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ mfa_required: true, methods: ['enrol'] }),
    ]);
    expectProblem(await redeem(project, came), 'identity_token_invalid');
  });

  test('403 user_disabled', async () => {
    const { project, came } = await fresh();
    const { uid } = (await redeem(project, came)).body;
    await world.as(project.project).users.update({ uid, disabled: true });
    const again = await goThrough(world, project, 'google');
    expectProblem(await redeem(project, again), 'user_disabled');
  });

  test('429 after 100 failures from one network in ten minutes; successes do not count', async () => {
    atWindow(1_800, 0);
    const { project } = await fresh();
    const window = Math.floor(Date.now() / 600_000);
    const key = keys.rate('failuresFromOne', `${project.project_id} 127.0.0.1`, window);
    await world.table.put({ ...key, count: 99 });
    const wrong = { code: 'x'.repeat(43), code_verifier: 'x'.repeat(43) };
    for (let i = 0; i < 2; i += 1) {
      const came = await goThrough(world, project, 'google');
      expect((await redeem(project, came)).status).toBe(201);
    }
    expectProblem(await redeem(project, wrong), 'identity_token_invalid');
    expectProblem(await redeem(project, wrong), 'too_many_requests');
  });
});

describe('a known account', () => {
  test('201 signs in its user, whatever the e-mail of the account is now', async () => {
    const google = standInOf('google');
    const person = personAt('google');
    const first = await signInAt(world, ours, google, person);
    const other = await world.user({ verified: true, project: ours.project });
    for (const email of [other.email, 'not an address', undefined]) {
      const again = await signInAt(world, ours, google, {
        ...person,
        email,
        email_verified: false,
      });
      expect([again.status, again.body.uid]).toEqual([201, first.body.uid]);
    }
  });

  test('is the same for an ID token and for a redirect', async () => {
    const own = await startOther('oidc');
    const { issuer, client_id } = own;
    const jwks_uri = `${issuer}/jwks`;
    const identity_providers = { [own.name]: { issuer, jwks_uri, client_ids: [client_id] } };
    const project = await providerProject(world, [own], { identity_providers });
    const person = personAt('oidc');
    const { uid } = (await signInAt(world, project, own, person)).body;
    const user = await world.table.get(keys.user(uid));
    expect(user?.['identities']).toEqual({ [own.name]: { issuer, subject: person['sub'] } });
    const { identities } = (await world.as(project.project).users.export({ uid })).body;
    expect(identities).toEqual([{ provider: own.name, issuer, subject: person['sub'] }]);
    await world.as(project.project).users.delete({ uid });
    const again = await signInAt(world, project, own, person);
    expect([again.status, again.body.user_created]).toEqual([201, true]);
  });
});
