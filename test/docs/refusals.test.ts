import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import openapi from '../../docs/reference/openapi.json' with { type: 'json' };
import { routes } from '../../shared/contract/api.ts';

const guide = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../docs/guide', name), 'utf8');

test('the guide names every sign-in that may require a second factor', () => {
  const line = guide('second-factor.md')
    .split('\n')
    .find((each) => each.startsWith('`POST /sessions/password`'));
  const paths = Object.entries<object>(openapi.paths).flatMap(([path, methods]) =>
    JSON.stringify(methods).includes('schemas/MfaRequired') ? [path] : [],
  );
  expect(paths.length).toBeGreaterThan(4);
  for (const path of paths) expect(line).toMatch(new RegExp(`\`(?:POST )?${path}\``));
});

test('the guide names everything that is refused to an impersonator', () => {
  const line = guide('backend.md')
    .split('\n')
    .find((each) => each.startsWith('- **Refused with 403:**'));
  const words: Record<string, string> = {
    apiKeys: 'API keys of the user',
    emails: 'e-mail',
    factors: 'second factors',
    identities: 'linked identities',
    ownership: 'ownership',
    passkeys: 'passkeys',
    passwords: 'passwords',
    sessions: 'sessions',
    users: 'the account',
    workspaceKeys: 'and of workspaces',
    workspaces: 'create or delete a workspace',
  };
  const refusing = routes.filter(({ notByActor }) => notByActor);
  expect(refusing.length).toBeGreaterThan(30);
  for (const { name } of refusing) {
    const [group = ''] = name.split('.');
    expect(line, name).toContain(words[group] ?? `an entry for ${group}`);
  }
});
