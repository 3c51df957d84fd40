import { afterAll, expect, test } from 'vitest';
import { startWorld } from '../support/world.ts';
import { startStage } from './stage.ts';

/** The console's errors for invalid requests to the operator function. */
const world = await startWorld({ subscribers: false });
const stage = await startStage(world);
afterAll(() => stage.close());
const { post } = await stage.entered();
const { project_id } = await world.newProject();

test.each([
  [
    { action: 'create', name: 'x'.repeat(300), project_id: 'A B' },
    'Id must be 1 to 63 lower-case letters, digits and hyphens. Name must have at most 128 characters.',
  ],
  [
    { action: 'update', project_id, min_password_length: 3, api_key_rate_limit: 0, captcha: 5 },
    /^Characters of a password must be a whole number from 8 to 64\. Requests per minute with an API key must be a whole number from 1 to \d+\. Captcha must be JSON such as \{/,
  ],
  [
    { action: 'update', project_id, origins: ['http://x.example.com/a'], passkeys: 'on' },
    /^Users sign in with a passkey must be true or false\. Origins of passkeys: 0 must be an https URL/,
  ],
  [
    { action: 'update', project_id, rp_id: 'example.com' },
    'Origins of passkeys must be set together with rp_id.',
  ],
  [{ action: 'update', project_id, colour: 'red' }, 'colour is not allowed.'],
  [{ action: 'create' }, 'Name is required.'],
  [{ action: 'explode' }, 'The request has no action that there is.'],
  [[], 'The request must be an object.'],
])('refuses %j with a message for the operator', async (request, said) => {
  const answer = await post('/operator', request);
  expect(answer.status).toBe(400);
  const { detail } = (await answer.json()) as { detail: string };
  expect(detail).toMatch(said);
});
