import { parseArgs } from 'node:util';
import type { Context } from 'aws-lambda';
import type { Handler } from '../local/aws/lambda.ts';
import { startSecrets } from '../local/aws/secrets-manager.ts';
import { startGateway } from '../local/http/gateway.ts';
import { routes } from '../shared/contract/api.ts';
import { type FunctionName, sourceOf } from '../shared/contract/functions.ts';
import { developmentXpub } from '../shared/identity/wallet/development-wallet.ts';

/** The measured service: the real gateway and handlers, from their sources or bundles, in this process. */

const { bundles } = parseArgs({ options: { bundles: { type: 'boolean', default: false } } }).values;
const load = async (name: FunctionName): Promise<Handler> => {
  const file = bundles ? `../dist/${name}/index.mjs` : `../${sourceOf(name)}`;
  return ((await import(new URL(file, import.meta.url).href)) as { handler: Handler }).handler;
};

const secrets = await startSecrets('signing', { plain: ['mail'] });
process.env['AWS_ENDPOINT_URL_SECRETS_MANAGER'] = secrets.endpoint;
process.env['SIGNING_SECRET_ID'] = 'signing';
process.env['MAIL_SECRET_ID'] = 'mail';
process.env['WALLET_XPUB'] = developmentXpub;
const gateway = await startGateway({ routes, load });
process.env['BASE_URL'] = gateway.url;
await secrets.rotate(await load('keys.rotate'));

const context = { awsRequestId: 'setup', getRemainingTimeInMillis: () => 30_000 } as Context;
const operate = await load('projects.admin');
const signIn = { password_sign_in: true, code_sign_in: true, link_sign_in: true, sign_up: true };
const create = async (project_id: string, settings: object) =>
  operate({ action: 'create', project_id, name: 'Bench', ...settings } as never, context);
// Required after one failure.
const captcha = {
  ...{ provider: 'turnstile', site_key: 'key', rule: 'after_failures', failures: 1 },
  hostnames: ['www.example.com'],
};
const projects = [
  await create('bench', signIn),
  await create('bench-es256', { token_algorithm: 'ES256' }),
  await create('bench-captcha', { ...signIn, captcha }),
];
process.send?.({ url: gateway.url, projects });
