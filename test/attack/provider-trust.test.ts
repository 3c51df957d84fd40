import { describe, expect, test } from 'vitest';
import { type PresetName, presetNames, presetOf } from '#shared/model/provider-presets.ts';
import { proofOf } from '#shared/providers/trust.ts';
import { settingsOf, signInByIdentity } from '../support/identities.ts';
import { startOpenidProvider } from '../support/openid-provider.ts';
import { type StandIn, startStandIn } from '../support/provider-stand-in.ts';
import { goThrough, personAt, providerProject, signInAt } from '../support/providers.ts';
import { signInProject } from '../support/sign-in.ts';
import { startWorld } from '../support/world.ts';

const world = await startWorld();
const standIns = await Promise.all(presetNames.map((each) => startStandIn(each)));
const openid = await startOpenidProvider();
const standInOf = (preset: PresetName) => standIns[presetNames.indexOf(preset)] as StandIn;
const nameOf = (preset: PresetName) => (preset === 'oidc' ? 'own' : preset);

/** The outcome for a person at a provider whose e-mail belongs to a user of the project. */
type Outcome = 'signs in' | 'identity_link_required' | 'identity_token_invalid';

describe('which provider may confirm which e-mail', () => {
  const elsewhere = (n: string) => `${n}@company.example`;
  const tenant = '11111111-2222-3333-4444-555555555555';
  const cases: [string, (typeof presetNames)[number], object, Outcome][] = [
    ['gmail.com, verified', 'google', { email: 'a@gmail.com' }, 'signs in'],
    [
      'a domain of Workspace',
      'google',
      { email: elsewhere('b'), hd: 'company.example' },
      'signs in',
    ],
    ['another domain', 'google', { email: elsewhere('c') }, 'identity_link_required'],
    [
      'another `hd`',
      'google',
      { email: elsewhere('d'), hd: 'x.example' },
      'identity_link_required',
    ],
    ['not verified', 'google', { email_verified: false }, 'identity_token_invalid'],
    ['`xms_edov`', 'microsoft', { tid: tenant }, 'signs in'],
    ['`xms_edov` as 1', 'microsoft', { tid: tenant, xms_edov: 1 }, 'signs in'],
    ['no `xms_edov` (nOAuth)', 'microsoft', { xms_edov: undefined }, 'identity_token_invalid'],
    ['false `xms_edov`', 'microsoft', { xms_edov: false }, 'identity_token_invalid'],
    [
      'email_verified alone',
      'microsoft',
      { xms_edov: undefined, email_verified: true },
      'identity_token_invalid',
    ],
    ['a guest of a tenant', 'microsoft', { acct: 1 }, 'identity_token_invalid'],
    [
      'a personal account',
      'microsoft',
      { tid: '9188040d-6c67-4c5b-b112-36a304b66dad' },
      'identity_token_invalid',
    ],
    ['a possible guest: no `acct`', 'microsoft', { acct: undefined }, 'identity_token_invalid'],
    ["Apple's own address, verified, as a text", 'apple', { email: 'f@icloud.com' }, 'signs in'],
    ['another address, verified', 'apple', {}, 'identity_link_required'],
    ['a domain like its own', 'apple', { email: 'f@xicloud.com' }, 'identity_link_required'],
    ['a relay address', 'apple', { email: 'x1@privaterelay.appleid.com' }, 'signs in'],
    ['not verified, as a text', 'apple', { email_verified: 'false' }, 'identity_token_invalid'],
    ['primary and verified, at an installation', 'github', {}, 'signs in'],
    [
      'primary, not verified',
      'github',
      { emails: [{ email: 'e@gmail.com', primary: true, verified: false }] },
      'identity_token_invalid',
    ],
    [
      'verified, not primary',
      'github',
      { emails: [{ email: 'e@gmail.com', primary: false, verified: true }] },
      'identity_token_invalid',
    ],
    ['only public', 'github', { emails: [] }, 'identity_token_invalid'],
    ['verified, at an installation', 'gitlab', {}, 'signs in'],
    ['not verified', 'gitlab', { email_verified: false }, 'identity_token_invalid'],
    ['verified', 'linkedin', {}, 'identity_link_required'],
    ['not verified', 'linkedin', { email_verified: false }, 'identity_token_invalid'],
    ['verified', 'discord', {}, 'identity_link_required'],
    ['not verified', 'discord', { verified: false }, 'identity_token_invalid'],
    ['verified', 'slack', {}, 'identity_link_required'],
    ['without `email_verified`', 'slack', { email_verified: undefined }, 'identity_token_invalid'],
    ['any claim', 'facebook', { verified: true, email_verified: true }, 'identity_token_invalid'],
    ['verified, at the userinfo endpoint', 'oidc', {}, 'signs in'],
    ['not verified', 'oidc', { email_verified: false }, 'identity_token_invalid'],
    ['a number for true', 'oidc', { email_verified: 1 }, 'identity_token_invalid'],
    ['no e-mail', 'oidc', { email: undefined }, 'identity_token_invalid'],
  ];

  test('the table covers every provider preset', () => {
    expect(new Set(cases.map(([, preset]) => preset))).toEqual(new Set(presetNames));
  });

  test.each(cases)('%s at %s: %o %s', async (_, preset, claims, outcome) => {
    const person = { ...personAt(preset), ...claims } as ReturnType<typeof personAt>;
    const project = await providerProject(world, standIns);
    const [first] = (person['emails'] as { email: string }[] | undefined) ?? [];
    const email =
      preset === 'github' && claims !== undefined && 'emails' in claims
        ? (first?.email ?? person.email)
        : (person.email ?? 'nobody@gmail.com');
    const victim = await world.user({ email, verified: true, project: project.project });
    const { status, body } = await signInAt(world, project, standInOf(preset), person);
    if (outcome === 'signs in') expect([status, body.uid]).toEqual([201, victim.uid]);
    else expect([body.code, body.uid]).toEqual([outcome, undefined]);
    // The first user of the address has not verified it: no one is linked to that user.
    const other = await providerProject(world, standIns);
    await world.user({ email, project: other.project });
    const refused = await signInAt(world, other, standInOf(preset), person);
    expect(refused.body.code).toBe(outcome === 'signs in' ? 'identity_link_required' : outcome);
  });

  // As a native app does, whose platform gives it the token. An issuer of Microsoft is one tenant, which vouches for all
  // its e-mails, or for none.
  const publicGitlab = ['verified, at gitlab.com', 'gitlab', {}, 'identity_link_required'] as const;
  const atIssuers = cases.filter(([, each]) => presetOf(each).openid && each !== 'microsoft');
  test.each([...atIssuers, publicGitlab])(
    '%s at %s, in an ID token that a client brings: %o %s',
    async (title, preset, claims, outcome) => {
      const person = { ...personAt(preset), ...claims };
      const { installable, issuer: known = '' } = presetOf(preset);
      const iss = installable && !title.endsWith('gitlab.com') ? openid.issuer : known;
      const project = await signInProject(world, {
        identity_providers: { theirs: { ...settingsOf(openid), issuer: iss } },
      });
      const email = person.email ?? 'nobody@gmail.com';
      const victim = await world.user({ email, verified: true, project: project.project });
      const token = openid.signed({ ...person, iss });
      const { body } = await signInByIdentity(project, token, { provider: 'theirs' });
      const signsIn = outcome === 'signs in';
      expect([body.code, body.uid]).toEqual(
        signsIn ? [undefined, victim.uid] : [outcome, undefined],
      );
    },
  );

  test.each(['gitlab', 'oidc', 'google'] as const)(
    'at %s, if the operator does not trust its e-mails: no user is signed in',
    async (preset) => {
      const standIn = standInOf(preset);
      const name = nameOf(preset);
      const project = await providerProject(world, [standIn], {
        sign_in_providers: { [name]: { ...standIn.settings, email_trusted: false } },
      });
      const { body } = await signInAt(world, project, standIn, personAt(preset));
      expect(body.code).toBe('identity_token_invalid');
    },
  );
});

// The fake providers are self-hosted installations; other installations differ only in the operator's settings.
test.each(['github', 'gitlab'] as const)(
  "a verified e-mail of the public %s does not prove current ownership, but one of the operator's installation does",
  (preset) => {
    const claims = { email_verified: true };
    const proof = (given: object) =>
      proofOf({ preset, client_id: 'c', ...given })(claims, 'a@company.example');
    const once = { email_verified: true, email_current: false };
    expect(proof({})).toEqual(once);
    for (const own of ['https://git.company.example', `https://${preset}.com.example`])
      expect(proof({ issuer: own })).toEqual({ email_verified: true, email_current: true });
    // The public one, as the settings may name it, in any spelling.
    for (const host of [preset, `www.${preset}`, preset.toUpperCase()])
      for (const end of ['', '.', ':443', '/'])
        expect(proof({ issuer: `https://${host}.com${end}` })).toEqual(once);
  },
);

describe('a tenant of Microsoft', () => {
  const microsoft = standInOf('microsoft');
  const tid = '11111111-2222-3333-4444-555555555555';
  const personal = '9188040d-6c67-4c5b-b112-36a304b66dad';
  const at = (tenant: string) =>
    providerProject(world, [microsoft], {
      sign_in_providers: { microsoft: { ...microsoft.settings, tenant } },
    });
  const errorAt = async (tenant: string, claims: object) => {
    microsoft.behave({ claims: claims as Record<string, unknown> });
    microsoft.is({ ...personAt('microsoft'), ...claims });
    const { given } = await goThrough(world, await at(tenant), 'microsoft');
    microsoft.behave();
    return given['error'];
  };

  test('must be allowed by the setting, and match the issuer', async () => {
    expect(await errorAt('common', { tid })).toBeUndefined();
    expect(await errorAt('common', { tid: personal })).toBeUndefined();
    expect(await errorAt('organizations', { tid })).toBeUndefined();
    for (const [tenant, claims] of [
      ['organizations', { tid: personal }],
      // A token that one tenant signs for another tenant, or for none.
      ['common', { tid, iss: `${microsoft.origin}/${personal}/v2.0` }],
      ['common', { tid: undefined }],
      ['common', { tid: 'x/../y' }],
      ['common', { tid, iss: `${microsoft.origin}/{tenantid}/v2.0` }],
    ] as const)
      expect(await errorAt(tenant, claims)).toBe('provider_failed');
  });

  test('must send an ID token with the right nonce and signature', async () => {
    for (const wrong of [{ claims: { nonce: 'x' } }, { forged: true }, { noIdToken: true }]) {
      microsoft.behave(wrong);
      microsoft.is(personAt('microsoft'));
      const { given } = await goThrough(world, await at('common'), 'microsoft');
      expect(given['error']).toBe('provider_failed');
    }
    microsoft.behave();
  });
});
