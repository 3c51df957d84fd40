import { expect, test } from 'vitest';
import { fieldsOf, toSent } from '../../console/views/settings-fields.ts';
import type { ProjectSummary } from '../../shared/operator/summary.ts';

/** What the form of the settings sends: nothing is unset by a slip. */
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
  '%j characters of a password are refused, not unset',
  (given) => {
    expect(() => toSent('min_password_length', given)).toThrow('is no whole number');
  },
);

test('a number is sent as one; an empty field unsets', () => {
  expect(toSent('min_password_length', ' 16 ')).toBe(16);
  expect(toSent('api_key_rate_limit', '600')).toBe(600);
  expect(toSent('min_password_length', '')).toBeNull();
  expect(toSent('token_claims', '')).toBeNull();
});

test('claims of tokens are shown and sent as JSON', () => {
  const { token_claims } = fieldsOf(project);
  expect(toSent('token_claims', String(token_claims))).toEqual(['external_id']);
  expect(() => toSent('token_claims', '["external_id"')).toThrow(
    'Claims of access tokens: this is not JSON.',
  );
});
