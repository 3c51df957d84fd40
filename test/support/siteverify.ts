import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { secretNames } from '../../local/environment.ts';
import { listenOnLoopback } from '../../local/loopback.ts';
import type { Captcha } from '../../shared/access/projects.ts';
import { type CaptchaSite, captchaKeyName } from '../../shared/captcha/key-name.ts';
import { captchaFramePage, captchaScript } from './captcha-script.ts';

/** What a provider reports of a solved captcha, in addition to success. */
type Solved = { hostname?: string; action?: string; score?: number };

export const siteKey = '1x00000000000000000000AA';
const hostname = 'www.example.com';

/**
 * A captcha provider on this machine, which responds as Turnstile, hCaptcha and reCAPTCHA document: each token is valid
 * once, and only with the site's secret key. It also serves the widget script.
 */
export async function startSiteverify(secret = `secret-${randomUUID()}`) {
  const solved = new Map<string, Solved>();
  const used = new Set<string>();
  const asked: { fields: URLSearchParams; type: string | undefined }[] = [];
  let instead: ((response: ServerResponse) => unknown) | undefined;
  const judge = (fields: URLSearchParams): object => {
    const failed = (...codes: string[]) => ({ success: false, 'error-codes': codes });
    const token = fields.get('response') ?? '';
    const about = solved.get(token);
    if (!fields.get('secret')) return failed('missing-input-secret');
    if (fields.get('secret') !== secret) return failed('invalid-input-secret');
    if (token === '') return failed('missing-input-response');
    if (!about) return failed('invalid-input-response');
    if (used.has(token)) return failed('timeout-or-duplicate');
    used.add(token);
    return { success: true, challenge_ts: new Date().toISOString(), 'error-codes': [], ...about };
  };
  const solve = (about: Solved): string => {
    const token = `0.${randomUUID()}`;
    solved.set(token, about);
    return token;
  };
  /** The documents that browsers load. */
  const shown = ({ pathname, searchParams }: URL): [type: string, body: string] => {
    if (pathname.endsWith('/api.js')) return ['text/javascript', captchaScript(pathname)];
    if (pathname.endsWith('/frame')) return ['text/html', captchaFramePage(searchParams)];
    const { hostname: host = '', action = '' } = Object.fromEntries(searchParams);
    return ['text/plain', solve({ hostname: host, action })];
  };
  const server = createServer((request, response) => {
    void (async () => {
      if (request.method === 'GET') {
        const [type, body] = shown(new URL(request.url ?? '/', 'http://localhost'));
        return response.writeHead(200, { 'content-type': type }).end(body);
      }
      const fields = new URLSearchParams(await text(request));
      asked.push({ fields, type: request.headers['content-type'] });
      if (instead) return instead(response);
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end(JSON.stringify(judge(fields)));
    })();
  });
  // It must not keep the process alive.
  server.unref();
  const url = await listenOnLoopback(server);
  return {
    secret,
    asked,
    url,
    /** The captcha setting of a project that uses this provider. */
    setting: (more: Partial<Captcha> = {}): Captcha => ({
      ...{ provider: 'turnstile', site_key: siteKey, rule: 'always', hostnames: [hostname] },
      verify_url: `${url}/siteverify`,
      ...more,
    }),
    /** Its secret key for a project. */
    keyOf: (project_id: string, site: CaptchaSite) => ({ project_id, site, key: secret }),
    /** Solves a captcha and returns its token. */
    solve: (about: Solved = { hostname }): string => solve(about),
    /** Replaces the responses; without an argument, restores them. */
    answer: (other?: typeof instead) => void (instead = other),
  };
}

export type Siteverify = Awaited<ReturnType<typeof startSiteverify>>;

/** Writes the captcha secret keys of projects, as the operator does. */
export const setCaptchaKeys = (
  keys: readonly { project_id: string; site: CaptchaSite; key: string }[],
) => {
  const named = keys.map(({ project_id, site, key }) => [captchaKeyName(project_id, site), key]);
  return writeCaptchaSecret(JSON.stringify(Object.fromEntries(named)));
};

/** Writes the text of the secret that contains these keys. */
export const writeCaptchaSecret = (SecretString: string) =>
  new SecretsManagerClient().send(
    new PutSecretValueCommand({ SecretId: secretNames.captcha, SecretString }),
  );
