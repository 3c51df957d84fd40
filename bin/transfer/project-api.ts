import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultFolder } from '../../local/environment.ts';
import { messageOf } from '../../shared/model/message-of.ts';
import { requireDataFolder } from '../data-folder.ts';
import { CommandFailure, type Terminal } from '../flags.ts';

/** Where a project is: a deployed stack, the local data in a folder, or the service at an address. */
export type Target = {
  project: string;
  stack?: string | undefined;
  local?: boolean | undefined;
  url?: string | undefined;
  data?: string | undefined;
};

export type Answer = { status: number; body: unknown; link: string };

/** A target whose address is known. */
export type Place = Target & {
  url: string;
  /** Distinguishes it from every other place, because the checkpoint of another place must not be resumed. */
  name: string;
};

/** The project's API as its backend calls it. */
export type ProjectApi = {
  /**
   * Retries until there is a response that is not a server error. A POST has an Idempotency-Key, so that a lost
   * response does no harm.
   */
  call(method: string, path: string, options?: { body?: object; key?: string }): Promise<Answer>;
  /** The secret created for this run that is currently in use, if any. */
  secretId(): string | undefined;
  close(): Promise<void>;
};

/** The flags that identify the project. */
export const targetFlags = {
  project: { type: 'string' },
  stack: { type: 'string' },
  local: { type: 'boolean' },
  url: { type: 'string' },
  data: { type: 'string' },
} as const;

/** Of a command that calls the operator function too. */
export const operatorTargetUsage = `  --project ID      the project
  --stack NAME      a deployed stack; a secret is created for the run, which expires within an hour, is renewed, and
                    is revoked at its end
  --local           the service of npm start; its data is in .data, or --data FOLDER
  --url URL         its address, if not http://localhost:3000`;

export const targetUsage = `${operatorTargetUsage}; alone: any deployment, with the project's secret in the
                    environment as PROJECT_SECRET`;

/** Checks the flags that identify the project. Throws a `CommandFailure` that lists every problem. */
export function requireTarget(flags: Partial<Target>): Target {
  const { project, stack, local, url, data } = flags;
  const problems = [
    ...(project ? [] : ['Pass --project ID.']),
    ...(stack !== undefined && (local || url !== undefined)
      ? ['Pass --stack alone, without --local or --url.']
      : []),
    ...(!stack && !local && url === undefined ? ['Pass --stack NAME, --local or --url URL.'] : []),
    ...(data !== undefined && !local ? ['Pass --data only together with --local.'] : []),
    ...(url !== undefined && !URL.canParse(url) ? ['--url must be a URL.'] : []),
  ];
  if (problems.length > 0) throw new CommandFailure(problems.join('\n'));
  return { ...flags, project: project ?? '' };
}

/** Finds where the project is. Throws a `CommandFailure` for a data folder that does not exist. */
export async function placeOf(target: Target): Promise<Place> {
  const { project, stack, local, data = defaultFolder, url = 'http://localhost:3000' } = target;
  // Without the flag, the service may store no data and then shows its secret.
  if (target.data !== undefined) requireDataFolder(target.data);
  const base = stack === undefined ? url.replace(/\/+$/, '') : await addressOf(stack);
  const within = [
    ...(stack === undefined ? [] : [`, stack ${stack}`]),
    ...(local ? [`, data in ${resolve(data)}`] : []),
  ];
  return { ...target, url: base, name: `${project} at ${base}${within.join('')}` };
}

async function addressOf(stack: string): Promise<string> {
  const { outputOf } = await import('../project/stack.ts');
  return (await outputOf(stack, 'BaseUrl')).replace(/\/+$/, '');
}

/** Timeout of a call in milliseconds, and attempts of a failing call. */
const patience = 30_000;
const tries = 8;

/**
 * @param name of the secret that is created for the run, where one is
 * @param leftBehind id of a secret that an earlier run did not revoke, because it was killed
 */
export async function openProject(
  place: Place,
  name: 'import' | 'export' | 'roles' | 'hash-kinds' | 'empty',
  terminal: Terminal,
  leftBehind?: string,
): Promise<ProjectApi> {
  const { project, url } = place;
  const { authorization, secretId, close } = await credentialOf(place, name, terminal, leftBehind);
  return {
    secretId,
    close,
    async call(method, path, { body, key } = {}) {
      for (let attempt = 1; ; attempt += 1) {
        const answer = await send(url + path, {
          method,
          headers: {
            authorization: await authorization(),
            ...(body && { 'content-type': 'application/json' }),
            ...(key && { 'idempotency-key': key }),
          },
          ...(body && { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(patience),
        });
        if ('status' in answer && answer.status !== 429 && answer.status < 500) {
          if (answer.status === 401)
            throw new CommandFailure(`The service does not accept the secret of ${project}.`);
          return answer;
        }
        if (attempt === tries) throw new CommandFailure(unanswered(url, answer));
        const wait = 'status' in answer ? answer.retryAfter * 1_000 : 0;
        await sleep(Math.max(wait, Math.random() * Math.min(10_000, 200 * 2 ** attempt)));
      }
    },
  };
}

const unanswered = (url: string, answer: Sent) =>
  'status' in answer
    ? `The service at ${url} answers ${answer.status}; run the command again to go on.`
    : `The service at ${url} does not answer: ${answer.problem}. Run the command again to go on.`;

type Sent = (Answer & { retryAfter: number }) | { problem: string };

async function send(url: string, init: RequestInit): Promise<Sent> {
  try {
    const response = await fetch(url, init);
    const text = await response.text();
    const { headers, status } = response;
    const body: unknown = text === '' ? undefined : jsonOf(text, status);
    const retryAfter = Number(headers.get('retry-after') ?? 0) || 0;
    return { status, body, link: headers.get('link') ?? '', retryAfter };
  } catch (error) {
    const { cause } = error as { cause?: unknown };
    return { problem: messageOf(cause ?? error) };
  }
}

/** A proxy in front of the service may reject a request with its own message. */
function jsonOf(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (status < 400) throw error;
    return { detail: text.slice(0, 200) };
  }
}

type Credential = {
  authorization(): Promise<string>;
  secretId(): string | undefined;
  close(): Promise<void>;
};

async function credentialOf(
  place: Place,
  name: string,
  terminal: Terminal,
  leftBehind: string | undefined,
): Promise<Credential> {
  const { project, stack, local, url } = place;
  if (stack !== undefined) return secretsOf(stack, project, name, terminal, leftBehind);
  const { PROJECT_SECRET: environmentSecret } = terminal.env;
  const secret = local ? await localSecret(place, url) : environmentSecret;
  if (!secret) throw new CommandFailure('Set PROJECT_SECRET to a secret of the project.');
  const authorization = `Basic ${Buffer.from(`${project}:${secret}`).toString('base64')}`;
  return {
    authorization: async () => authorization,
    secretId: () => undefined,
    close: async () => {},
  };
}

/**
 * Secrets of a run: each expires within an hour, so that it does not take the place of a backend's secret, and is
 * replaced before.
 */
async function secretsOf(
  stack: string,
  project_id: string,
  name: string,
  terminal: Terminal,
  leftBehind: string | undefined,
): Promise<Credential> {
  const { createRunSecrets } = await import('./run-secrets.ts');
  const { operateStack } = await import('../project/stack.ts');
  // Already revoked, if the earlier run ended after its last checkpoint.
  if (leftBehind !== undefined)
    await operateStack({ action: 'revoke-secret', project_id, secret_id: leftBehind }, stack).catch(
      () => {},
    );
  const secrets = createRunSecrets((request) => operateStack(request, stack), { name });
  await secrets.authorization(project_id);
  return {
    authorization: () => secrets.authorization(project_id),
    secretId: secrets.newest,
    async close() {
      for (const sentence of await secrets.close()) terminal.stderr.write(`${sentence}\n`);
    },
  };
}

/** The secret that `npm start` stores in its data folder, or shows if it has none. */
async function localSecret(
  { project, data = defaultFolder }: Target,
  url: string,
): Promise<string> {
  const { projectsFile, readSecrets } = await import('../../local/operator.ts');
  const { [project]: kept } = await readSecrets(`${data}/${projectsFile}`);
  const credential = await fetch(`${url}/_local/credential`).then(
    (response) => response.text(),
    () => undefined,
  );
  if (credential === undefined)
    throw new CommandFailure(
      `Nothing answers at ${url}: start the service with npm start, or pass --url with the address that it shows, such as --url http://localhost:4000.`,
    );
  if (kept !== undefined) return kept;
  const [id, secret] = credential.trim().split(':');
  if (id === project && secret) return secret;
  throw new CommandFailure(
    `${data} has no secret of ${project}; create it with npm run project:create.`,
  );
}
