/** Sets the secret key that a project has from its provider of captchas: `npm run project:captcha-secret`. */
import type { CaptchaSite, KeyChange } from '../shared/captcha/key-name.ts';
import { issueMessage } from '../shared/http/issue-message.ts';
import { captcha as setting } from '../shared/operator/captcha.ts';
import { CommandFailure, readFlags, runCommand, type Terminal } from './flags.ts';
import type { OperatorTarget } from './operate-at.ts';
import { readSecretLine } from './secrets/provider-secret-text.ts';
import { readSecret } from './secrets/secret-input.ts';
import { requireProject, requireTarget } from './secrets/secret-target.ts';

const usage = `Usage: npm run project:captcha-secret -- --project ID (--stack NAME | --local [--data FOLDER]) [< FILE]
  Asks for the secret key that the provider of captchas gave, or reads it from standard input, and puts it beside those
  of other projects into Secrets Manager. It is in use within 5 minutes, for one site key and one address that verifies
  its tokens: those of the captcha that the project has, whose key stays if you set one for another. No third one stays.
  --captcha JSON                        sets it for the captcha that project:update gets next
  --delete                              deletes all keys of the project instead; says "deleted": false if there was none`;

export async function main(args: string[], terminal: Terminal): Promise<string> {
  const values = readFlags(args, {
    project: { type: 'string' },
    stack: { type: 'string' },
    data: { type: 'string' },
    captcha: { type: 'string' },
    local: { type: 'boolean' },
    delete: { type: 'boolean' },
  });
  if (!values) return usage;
  const { project, stack, local, data, ...others } = values;
  if (!project) throw new CommandFailure('Pass --project ID.');
  const target = requireTarget({ stack, local, data });
  const { captcha } = await requireProject(target, project);
  // Every request that requires a captcha would get 503.
  if (others.delete && captcha)
    throw new CommandFailure(
      `The project ${project} asks for a captcha. Turn that off first: npm run project:update -- --captcha ''.`,
    );
  let change: KeyChange | undefined;
  if (!others.delete) {
    const site = others.captcha === undefined ? captcha : requireSetting(others.captcha);
    if (!site)
      throw new CommandFailure(
        `The project ${project} has no captcha. Pass the one that it gets next: --captcha JSON.`,
      );
    change = {
      site,
      key: readSecretLine(await readSecret(terminal, 'Secret key: ')),
      ...(captcha && { currentSite: captcha }),
    };
  }
  const isDone = await store(target, project, change);
  return JSON.stringify({ project_id: project, [change ? 'set' : 'deleted']: isDone });
}

if (import.meta.main) await runCommand(main);

/** Changes the keys of a project. False if there was none to delete. */
async function store(
  target: OperatorTarget,
  project: string,
  change: KeyChange | undefined,
): Promise<boolean> {
  if ('folder' in target) {
    const { changeLocalCaptchaKeys } = await import('../local/captcha-keys.ts');
    return changeLocalCaptchaKeys(target.folder, project, change);
  }
  const { changeCaptchaKeys } = await import('./secrets/captcha-secret-stack.ts');
  return changeCaptchaKeys(target.stack, project, change);
}

function requireSetting(json: string): CaptchaSite {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new CommandFailure(
      `--captcha must be JSON such as {"provider":"turnstile","site_key":"KEY"}, not '${json}'.`,
    );
  }
  const { success, data, error } = setting.safeParse(value, { error: issueMessage });
  if (success) return data;
  const wrong = error.issues.map(({ path, message }) => [...path, message].join(': '));
  throw new CommandFailure(`--captcha is no captcha: ${wrong.join('; ')}.`);
}
