import { deepEqual, equal } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { lifetimes } from '../../../shared/model/limits.ts';
import { callback, command } from '../operator.ts';
import type { World } from '../world.ts';
import { newBrowser } from './browser.ts';

type Shown = { client_id: string; name: string; secrets: { secret_id: string }[]; secret?: string };

/**
 * The operator's changes of OAuth clients. Returns a check for later, which waits until no running function can still
 * accept revoked secrets: each caches a project for a minute.
 */
export async function oauthClients({ checks, url, project }: World): Promise<() => Promise<void>> {
  const { project_id } = project;
  const { send } = newBrowser(url);
  const of = ['--project', project_id, '--client'];

  /** The error of `/token` for credentials of the client `server`. The refresh token does not exist. */
  const tried = async (secret: string) => {
    const authorization = `Basic ${btoa(`${project_id}.server:${secret}`)}`;
    const form = { grant_type: 'refresh_token', refresh_token: 'nobodys' };
    const { text } = await send('POST', '/token', { authorization, form });
    return (JSON.parse(text) as { error: string }).error;
  };

  await checks.check('a client is renamed, and keeps its other settings', async () => {
    const changed = await command<Shown>(
      'project:update-client',
      ...[...of, 'server', '--client-name', 'Server of Acme'],
    );
    deepEqual([changed.name, changed.secrets.length], ['Server of Acme', 1]);
  });
  const { secret = '', secrets } = await checks.check(
    'a second secret of a client works',
    async () => {
      const made = await command<Shown>('project:create-client-secret', ...[...of, 'server']);
      equal(made.secrets.length, 2);
      equal(await tried(made.secret ?? ''), 'invalid_grant');
      return made;
    },
  );
  await checks.check('a secret of a client is revoked, and a client is deleted', async () => {
    const { secret_id = '' } = secrets[0] ?? {};
    await command('project:revoke-client-secret', ...of, 'server', '--secret-id', secret_id);
    await command('project:delete-client', ...of, 'web');
  });
  const known = Date.now() + (lifetimes.projectCache + 1) * 1_000;
  return () =>
    checks.check('neither the revoked secret nor the deleted client is accepted', async () => {
      await sleep(Math.max(0, known - Date.now()));
      equal(await tried(secret), 'invalid_client');
      const asked = new URLSearchParams({ client_id: `${project_id}.web`, redirect_uri: callback });
      equal((await send('GET', `/authorize?${asked.toString()}`)).status, 400);
    });
}
