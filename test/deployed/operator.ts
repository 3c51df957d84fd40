import { deepEqual, equal, ok } from 'node:assert/strict';
import { CreateEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { storeProviderSecret } from '../../bin/secrets/provider-secret-stack.ts';
import { providerSecretText } from '../../shared/model/provider-secret.ts';
import { settingsOf } from '../support/identities.ts';
import type { startOpenidProvider } from '../support/openid-provider.ts';
import type { StandIn } from '../support/provider-stand-in.ts';
import { mailSender, stackName } from './assembly.ts';
import { npm } from './cdk.ts';
import type { Checks } from './checks.ts';
import { backendOf, type World } from './world.ts';

type Shown = { project_id: string; secret: string };
type Secrets = { secrets: { secret_id: string }[] };

/** The output of an operator command. */
export const command = async <T>(script: string, ...args: string[]): Promise<T> =>
  JSON.parse(await npm(script, ...args, '--stack', stackName)) as T;

/** Registers the mails' sender with SES, as the README describes. */
export async function verifySender(checks: Checks): Promise<void> {
  await checks.check('SES knows the sender', async () => {
    const EmailIdentity = mailSender.split('@')[1] ?? '';
    const ses = new SESv2Client();
    const identity = await ses.send(new CreateEmailIdentityCommand({ EmailIdentity }));
    equal(identity.VerifiedForSendingStatus, true);
  });
}

/** Creates a project with everything enabled, with the operator's commands. */
export async function makeProject(
  checks: Checks,
  google: Awaited<ReturnType<typeof startOpenidProvider>>,
  own: StandIn,
): Promise<World['project']> {
  const purposes = ['sign_up', 'reset_password', 'verify_email', 'change_email', 'sign_in_link'];
  const links = purposes.map((purpose) => [purpose, `https://app.example.com/${purpose}`]);
  const { project_id } = await checks.check('project:create makes a project', () =>
    command<Shown>('project:create', '--project', 'acme', '--name', 'Acme'),
  );
  await checks.check('project:update turns on the features for users', () =>
    command(
      'project:update',
      '--project',
      project_id,
      ...[
        ...['--invitation-base-url', 'https://app.example.com/join'],
        ...[
          '--password-sign-in',
          'true',
          '--code-sign-in',
          'true',
          '--link-sign-in',
          'true',
          '--sign-up',
          'true',
        ],
        ...['--impersonation', 'notify', '--workspace-roles', 'true'],
        ...['--passkeys', 'true', '--mfa', 'optional'],
        ...[
          '--identity-providers',
          // A deployed service reads keys only at public addresses.
          JSON.stringify({
            google: { ...settingsOf(google), jwks_uri: `${own.issuer}/google/jwks` },
          }),
        ],
        ...['--sign-in-providers', JSON.stringify({ own: { ...own.settings, keep_tokens: true } })],
        ...['--return-urls', JSON.stringify([returnUrl])],
        ...[
          '--mail-sender-name',
          'Acme',
          '--mail-links',
          JSON.stringify(Object.fromEntries(links)),
        ],
      ],
    ),
  );
  const { secret } = await checks.check('project:rotate-key returns another secret', () =>
    command<Shown>('project:rotate-key', '--project', project_id),
  );
  await checks.check(
    'a client secret of a provider is written to Secrets Manager, and replaced',
    async () => {
      const at = { stack: stackName, project: project_id, provider: 'own' };
      for (const each of ['another', own.secret])
        await storeProviderSecret(at, providerSecretText(own.settings, each));
    },
  );
  return { project_id, secret };
}

/** The address to which a provider redirects users back. */
export const returnUrl = 'https://app.example.com/signed-in';
export const callback = 'https://app.example.com/callback';
export const farewell = 'https://app.example.com/bye';
type MadeClient = { client_id: string; secret: string };
/** An application without a secret, and one with a secret. */
export type OAuthClients = { web: { client_id: string }; server: MadeClient };

/** Enables the hosted pages of a project, and creates applications that sign users in through them. */
export async function makeClients(
  checks: Checks,
  { project_id }: World['project'],
): Promise<OAuthClients> {
  const of = ['--project', project_id];
  await checks.check('project:update turns on the hosted pages', () =>
    command('project:update', ...of, '--hosted-pages', 'true'),
  );
  return await checks.check('project:create-client makes clients', async () => {
    const make = (name: string, confidential: boolean) =>
      command<MadeClient>(
        'project:create-client',
        ...of,
        ...['--client', name, '--client-name', name, '--confidential', String(confidential)],
        ...['--redirect-uris', JSON.stringify([callback])],
        ...['--post-logout-redirect-uris', JSON.stringify([farewell])],
      );
    const [web, server] = [await make('web', false), await make('server', true)];
    deepEqual([web.client_id, server.client_id], [`${project_id}.web`, `${project_id}.server`]);
    return { web, server };
  });
}

/** Creates and revokes secrets of a project. */
export async function secrets({ checks, url, project }: World): Promise<void> {
  const { project_id } = project;
  await checks.check('a second secret works until it is revoked', async () => {
    const made = await command<Shown>('project:create-secret', '--project', project_id);
    await backendOf(url, made).webhooks.list({});
    const list = () => command<Secrets>('project:list-secrets', '--project', project_id);
    const before = (await list()).secrets;
    const { secret_id = '' } = before.at(-1) ?? {};
    await command('project:revoke-secret', '--project', project_id, '--secret-id', secret_id);
    equal((await list()).secrets.length, before.length - 1);
    const { projects } = await command<{ projects: Shown[] }>('project:list');
    ok(projects.some((each) => each.project_id === project_id));
  });
}
