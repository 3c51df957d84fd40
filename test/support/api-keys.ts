import { expect } from 'vitest';
import { anId, aTime } from './expectations.ts';
import type { Person, World } from './world.ts';

/** An API key as the response that creates it shows it. */
export type MadeKey = { key_id: string; key: string; bearer: string };

/** The expected API key: defaults, with these fields over them. */
export const anApiKey = (given: object = {}) => ({
  key_id: anId('key-'),
  name: 'CI',
  created_at: aTime(),
  ...given,
});
export const aUserKey = () => expect.stringMatching(/^wuk_[\w-]{92}$/);
export const aWorkspaceKey = () => expect.stringMatching(/^wwk_[\w-]{92}$/);

/** Creates an API key of a user. */
export async function userKey(world: World, person: Person, given: object = {}): Promise<MadeKey> {
  const made = await world.as(person).apiKeys.create({ name: 'CI', ...given });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return { ...made.body, bearer: `Bearer ${made.body.key}` };
}

/** Creates an API key of a workspace, as its owner. */
export async function workspaceKey(
  world: World,
  { workspace_id, owner }: { workspace_id: string; owner: Person },
  given: object = {},
): Promise<MadeKey> {
  const made = await world.as(owner).workspaceKeys.create({ workspace_id, name: 'CI', ...given });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return { ...made.body, bearer: `Bearer ${made.body.key}` };
}
