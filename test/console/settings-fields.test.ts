import { expect, test } from 'vitest';
import { changedIn, fieldsOf, labelOf, toSent } from '../../console/views/settings-fields.ts';
import { operatorRequest } from '../../shared/operator/request.ts';
import type { ProjectSummary } from '../../shared/operator/summary.ts';

/** The request of the settings form: no field is unset by mistake. */
const project = {
  project_id: 'acme',
  name: 'Acme',
  created_at: '2026-01-01T00:00:00.000Z',
  modified_at: '2026-01-01T00:00:00.000Z',
  min_password_length: 12,
  token_claims: ['external_id'],
  secrets: [],
} as unknown as ProjectSummary;

test.each(['1O', '12 13', '12.5', '-1', '1e1', 'twelve', '０'])(
  'refuses %j as a minimum password length, and does not unset it',
  (given) => {
    expect(() => toSent('min_password_length', given)).toThrow('is no whole number');
  },
);

test('sends a number as a number, and null for an empty field', () => {
  expect(toSent('min_password_length', ' 16 ')).toBe(16);
  expect(toSent('api_key_rate_limit', '600')).toBe(600);
  expect(toSent('min_password_length', '')).toBeNull();
  expect(toSent('token_claims', '')).toBeNull();
});

test('shows and sends the claims of tokens as JSON', () => {
  const { token_claims } = fieldsOf(project);
  expect(toSent('token_claims', String(token_claims))).toEqual(['external_id']);
  expect(() => toSent('token_claims', '["external_id"')).toThrow(
    'Claims of access tokens: this is not JSON.',
  );
});

/** Fields of `project:update` that are not in the form, and why. */
const exceptions: Record<string, string> = {
  action: 'says what the request is',
  project_id: 'says which project is meant, and cannot be changed',
};

test('the form has every field of project:update, each with its own label', () => {
  const update = operatorRequest.options.find(({ shape }) => shape.action.value === 'update');
  const shown = Object.keys(fieldsOf(project));
  expect([...shown, ...Object.keys(exceptions)].toSorted()).toEqual(
    Object.keys(update?.shape ?? {}).toSorted(),
  );
  const labels = shown.map(labelOf);
  expect(labels.filter((label, i) => label === shown[i])).toEqual([]);
  expect(new Set(labels).size).toBe(labels.length);
});

test('sends only changed fields; rp_id and origins of passkeys are sent together', async () => {
  const before = fieldsOf({ ...project, rp_id: 'example.com', origins: ['https://example.com'] });
  expect(changedIn(before, before)).toEqual({});
  expect(changedIn({ ...before, passkeys: true }, before)).toEqual({ passkeys: true });
  const origins = '["https://app.example.com"]';
  const changed = changedIn({ ...before, origins }, before);
  expect(changed).toEqual({ rp_id: 'example.com', origins });
  const sent = Object.fromEntries(
    Object.entries(changed).map(([name, value]) => [name, toSent(name, value)]),
  );
  const request = { action: 'update', project_id: 'acme', ...sent };
  expect((await operatorRequest.safeParseAsync(request)).data).toEqual(request);
  const unset = changedIn({ ...before, rp_id: '', origins: '' }, before);
  expect(Object.entries(unset).map(([name, value]) => toSent(name, value))).toEqual([null, null]);
});
