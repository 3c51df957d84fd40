import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRunSecrets, type Operate } from '../../bin/transfer/run-secrets.ts';
import { workspaceId } from '../../shared/model/fields.ts';
import { type Answer, type ConsoleRequest, json } from './answer.ts';
import { positionOfNewest } from './feed-end.ts';
import { buildPage, policy } from './files.ts';
import { forward, unreachable } from './forward.ts';
import { createGuard, type Guard } from './guard.ts';
import { operateFor } from './operator.ts';
import { notFound, Refusal } from './problem.ts';

export type ConsoleOptions = {
  /** 0: a free one. */
  port: number;
  /** The name of the stack; undefined: the service on this machine. */
  stack?: string | undefined;
  /** The base URL of the service. */
  service: string;
  operate: Operate;
  /** See `createRunSecrets`. */
  pause?: number;
};

/** Bytes. The service takes less. */
const maxBody = 1024 * 1024;

/** Serves the console on loopback until it is closed. */
export async function startConsole({ port, stack, operate, pause, ...options }: ConsoleOptions) {
  const page = await buildPage();
  const secrets = createRunSecrets(operate, { name: 'console', pause });
  const service = options.service.replace(/\/+$/, '');
  const server = createServer((request, response) => void respond(request, response));
  await listen(server, port);
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const guard = createGuard(origin);

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const closed = new AbortController();
    response.once('close', () => closed.abort());
    const answer = await answerTo(request, closed.signal).catch(refusalAnswer);
    response.writeHead(answer.status, { ...headers, ...answer.headers });
    response.end(answer.body);
  }

  async function answerTo(request: IncomingMessage, signal: AbortSignal): Promise<Answer> {
    const { method = '', url = '' } = request;
    guard.checkHost(request.headers);
    const [path = '', ...query] = url.split('?');
    const isApi = path.startsWith('/api/') || path === '/session';
    if (!isApi) {
      const file = method === 'GET' ? page(path) : undefined;
      if (!file) throw notFound();
      return file;
    }
    guard.checkOrigin(method, request.headers);
    const isEntry = path === '/session';
    const rest = isEntry ? '' : guard.requireEntered(path, request.headers);
    const consoleRequest: ConsoleRequest = {
      method,
      path: rest,
      query: query.length > 0 ? `?${query.join('?')}` : '',
      headers: request.headers,
      body: await readBody(request),
    };
    return isEntry ? enter(consoleRequest, guard) : serve(consoleRequest, signal);
  }

  async function serve(request: ConsoleRequest, signal: AbortSignal): Promise<Answer> {
    const { method, path, body } = request;
    const [, kind = '', project_id = '', ...rest] = path.split('/');
    if (kind === 'projects' && rest.length > 0)
      return forward(request, project_id, `/${rest.join('/')}`, { service, secrets });
    switch (`${method} /${kind}`) {
      case 'GET /target':
        return json({ service, ...(stack === undefined ? { local: true } : { stack }) });
      case 'POST /operator':
        return json(await operateFor({ operate, secrets }, body));
      case 'GET /newest':
        return json({ after: await positionOfNewest(project_id, feedOf(rest, signal)) });
      case 'GET /mails':
        if (stack !== undefined) throw notFound();
        return readMails(service);
      default:
        throw notFound();
    }
  }

  /** The feed of a project, or the audit log of the workspace that is named. */
  function feedOf([workspace_id]: string[], signal: AbortSignal) {
    if (workspace_id === undefined) return { service, path: '/events', secrets, signal };
    if (!workspaceId.safeParse(workspace_id).success) throw notFound();
    return { service, path: `/workspaces/${workspace_id}/events`, secrets, signal };
  }

  return {
    origin,
    /** What the operator opens. The token is behind the #, which browsers send to no server. */
    address: `${origin}/#token=${guard.token}`,
    /** Ends the console. Resolves with a sentence for each secret that could not be revoked. */
    async close(): Promise<string[]> {
      server.close();
      server.closeAllConnections();
      return secrets.close();
    },
  };
}

const headers = {
  'cache-control': 'no-store',
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

function enter({ method, body }: ConsoleRequest, guard: Guard): Answer {
  if (method !== 'POST') throw notFound();
  let token: unknown;
  try {
    ({ token } = JSON.parse(body) as { token?: unknown });
  } catch {
    // It has none.
  }
  const { status, body: answer, ...rest } = json({ api: guard.path });
  return { status, body: answer, headers: { ...rest.headers, ...guard.enter(token) } };
}

/** The mails that the service on this machine has not sent. */
async function readMails(service: string): Promise<Answer> {
  const url = `${service}/_local/mail.json`;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
    return json(await response.json(), response.status);
  } catch (error) {
    throw unreachable(url, 'the mails', error);
  }
}

/** A refusal as an answer; anything else is our bug, whose text may hold what must not leave this process. */
function refusalAnswer(error: unknown): Answer {
  const refusal =
    error instanceof Refusal
      ? error
      : new Refusal(500, 'internal_error', 'The console has failed. Its terminal says why.');
  if (refusal !== error) process.stderr.write(`${(error as Error).name} in the console.\n`);
  return json(refusal.toBody(), refusal.status);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBody) throw new Refusal(413, 'content_too_large', 'The request is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Never on another address than loopback's. */
async function listen(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(port, '127.0.0.1', resolve);
  await promise;
}
