import { parseArgs } from 'node:util';
import { invoke } from '../local/aws/lambda.ts';
import { startSecrets } from '../local/aws/secrets-manager.ts';
import { startGateway } from '../local/http/gateway.ts';
import { fromBundles, fromSource } from '../local/load.ts';
import { routes } from '../shared/contract/api.ts';
import { developmentXpub } from '../shared/identity/wallet/development-wallet.ts';
import type { Project } from './service-process.ts';

export type Started = { url: string; projects: [Project, ...Project[]] };

if (import.meta.main) {
  const { values } = parseArgs({ options: { bundles: { type: 'boolean', default: false } } });
  process.send?.(await start(values.bundles));
}

/** Starts the measured service: the real gateway and handlers, from their sources or bundles, in this process. */
export async function start(bundles: boolean): Promise<Started> {
  const load = bundles ? fromBundles('dist') : fromSource;
  const secrets = await startSecrets('signing', { plain: ['mail'] });
  process.env['AWS_ENDPOINT_URL_SECRETS_MANAGER'] = secrets.endpoint;
  process.env['SIGNING_SECRET_ID'] = 'signing';
  process.env['MAIL_SECRET_ID'] = 'mail';
  process.env['WALLET_XPUB'] = developmentXpub;
  const gateway = await startGateway({ routes, load });
  process.env['BASE_URL'] = gateway.url;
  await secrets.rotate(await load('keys.rotate'));

  const operate = await load('projects.admin');
  const signIn = { password_sign_in: true, code_sign_in: true, link_sign_in: true, sign_up: true };
  const create = async (project_id: string, settings: object) => {
    const request = { action: 'create', project_id, name: 'Bench', ...settings };
    return (await invoke('projects.admin', operate, request)) as Project;
  };
  // Required after one failure.
  const captcha = {
    ...{ provider: 'turnstile', site_key: 'key', rule: 'after_failures', failures: 1 },
    hostnames: ['www.example.com'],
  };
  const projects: Started['projects'] = [
    await create('bench', signIn),
    await create('bench-es256', { token_algorithm: 'ES256' }),
    await create('bench-captcha', { ...signIn, captcha }),
  ];
  return { url: gateway.url, projects };
}
