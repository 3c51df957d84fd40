import { randomUUID } from 'node:crypto';
import { basic, bearer, createClient } from '../client/client.ts';
import { type Handler, invoke } from '../local/aws/lambda.ts';
import { startSecrets } from '../local/aws/secrets-manager.ts';
import { startGateway } from '../local/http/gateway.ts';
import { fromSource } from '../local/load.ts';
import { type Operation, routes } from '../shared/contract/api.ts';
import { ids, session } from '../shared/contract/examples/data.ts';
import { examples } from '../shared/contract/examples/examples.ts';
import type { FunctionName, JobName } from '../shared/contract/functions.ts';
import type { Route } from '../shared/contract/route.ts';
import { developmentXpub } from '../shared/identity/wallet/development-wallet.ts';
import { sampleOf } from '../test/contract/samples.ts';
import { openTable } from './service-process.ts';

/** The events of the jobs: empty batches, because no client waits for a job. */
const jobEvents: Record<JobName, object> = {
  'stream.sort': { Records: [] },
  'stream.consume': { Records: [] },
  'mail.send': { Records: [] },
  'mail.recordFeedback': { detail: {} },
  'webhooks.deliver': { detail: {} },
  'keys.rotate': { Step: 'testSecret', SecretId: 'signing', ClientRequestToken: randomUUID() },
  'projects.admin': { action: 'list' },
};

/**
 * Starts a table and its secrets, which a cold start finds through the environment of this process.
 *
 * @returns the event of a function: the example of its route, sent by a separate user with a separate workspace, in the
 * gateway's format
 */
export async function openScene(): Promise<(name: FunctionName) => Promise<unknown>> {
  await openTable();
  const secrets = await startSecrets('signing', { plain: ['mail', 'webhooks'] });
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.endpoint,
    SIGNING_SECRET_ID: 'signing',
    MAIL_SECRET_ID: 'mail',
    WEBHOOK_SECRET_ID: 'webhooks',
    WALLET_XPUB: developmentXpub,
    CHANGES_QUEUE_URL: 'http://127.0.0.1:1/changes',
    MAILS_QUEUE_URL: 'http://127.0.0.1:1/mails',
    LOG_LEVEL: 'silent',
  });
  let captured: unknown;
  /** The name of the function whose next request is not answered but captured. */
  let capturing: FunctionName | undefined;
  const load = async (name: FunctionName): Promise<Handler> => {
    const handler = await fromSource(name);
    return (event, context) => {
      if (name !== capturing) return handler(event, context);
      captured = event;
      return { statusCode: 204 };
    };
  };
  const { url } = await startGateway({ routes, load });
  process.env['BASE_URL'] = url;
  await secrets.rotate(await fromSource('keys.rotate'));
  const operate = await fromSource('projects.admin');
  const signIn = { password_sign_in: true, code_sign_in: true, sign_up: true };
  const request = { action: 'create', project_id: 'bench', name: 'Bench', ...signIn };
  const { secret } = (await invoke('projects.admin', operate, request)) as { secret: string };
  const backend = createClient(url, { authorization: basic('bench', secret), retries: 0 });

  async function send(name: Operation): Promise<void> {
    const email = `${randomUUID()}@example.com`;
    const { uid } = (await backend.users.create({ email, email_verified: true })).body;
    const grace = (await backend.users.create({ email: `grace-${email}` })).body;
    const { access_token, refresh_token } = (await backend.sessions.create({ uid })).body;
    const { workspace_id } = (await backend.workspaces.create({ name: 'Bench', owner_id: uid }))
      .body;
    if (name !== 'members.add' && name !== 'members.join')
      await backend.members.add({ workspace_id, user_id: grace.uid, role: 'member' });
    const route = routes.find((each) => each.name === name) as Route;
    const { params, query } = sampleOf(route);
    const { body } = examples[name];
    const input = Object.entries({
      [ids.ada]: uid,
      [ids.grace]: grace.uid,
      [ids.workspace]: workspace_id,
      [session.access_token]: access_token,
      '"demo"': '"bench"',
      'ada@example.com': email,
    }).reduce(
      (text, [example, real]) => text.replaceAll(example, real),
      JSON.stringify({ ...params, ...query, ...(body as object) }),
    );
    const tokens = { access: access_token, refresh: refresh_token } as Record<string, string>;
    const [scheme = ''] = route.auth;
    const authorization =
      scheme === 'project' ? basic('bench', secret) : bearer(tokens[scheme] ?? '');
    const [group = '', verb = ''] = name.split('.');
    const calls = createClient(url, { authorization, retries: 0 }) as unknown as Record<
      string,
      Record<string, (input: unknown) => Promise<unknown>>
    >;
    capturing = name;
    await calls[group]?.[verb]?.(JSON.parse(input));
    capturing = undefined;
  }

  return async (name) => {
    if (name in jobEvents) return jobEvents[name as keyof typeof jobEvents];
    if (name in examples) await send(name as Operation);
    else {
      capturing = name;
      await fetch(`${url}/nowhere`);
      capturing = undefined;
    }
    return captured;
  };
}
