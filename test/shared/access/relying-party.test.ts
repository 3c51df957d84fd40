import { expect, test, vi } from 'vitest';
import type { Project } from '#shared/access/projects.ts';
import { isUnder, relyingPartyOf } from '#shared/access/relying-party.ts';

vi.stubEnv('BASE_URL', 'https://id.example.com');
const pages_domain = 'auth.acme.example';
const set = { rp_id: 'acme.example', origins: ['https://app.acme.example'] };
const own = `https://${pages_domain}`;

test.each([
  ['the service, without settings', {}, 'id.example.com', ['https://id.example.com']],
  ['the domain of the pages', { pages_domain }, pages_domain, [own]],
  ['the configured domain', { ...set, hosted_pages: true }, set.rp_id, set.origins],
  [
    'the configured domain, with the pages below it',
    { ...set, pages_domain, hosted_pages: true },
    set.rp_id,
    [...set.origins, own],
  ],
  ['the configured domain, with the pages off', { ...set, pages_domain }, set.rp_id, set.origins],
  [
    'the configured domain, with the pages among its origins',
    { rp_id: set.rp_id, origins: [own], pages_domain, hosted_pages: true },
    set.rp_id,
    [own],
  ],
])('passkeys belong to %s', (_, settings, id, origins) => {
  expect(relyingPartyOf(settings as unknown as Project)).toEqual({ id, origins });
});

test.each([
  ['https://acme.example', true],
  ['https://app.acme.example:8443', true],
  ['https://evil-acme.example', false],
  ['https://acme.example.evil.example', false],
  ['https://evil.example/acme.example', false],
  ['https://example', false],
  ['acme.example', false],
])('%s may use the passkeys of acme.example: %s', (origin, may) => {
  expect(isUnder(origin, 'acme.example')).toBe(may);
});
