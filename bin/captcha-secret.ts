/** Sets the secret key that a project has from its provider of captchas: `npm run project:captcha-secret`. */
import { CommandFailure, parseFlags, runCommand } from './flags.ts';
import { readSecretLine } from './provider-secret-text.ts';
import { readSecret } from './secret-input.ts';
import { projectsAt, requireProject, requireTarget } from './secret-target.ts';

const usage = `Usage: npm run project:captcha-secret -- --project ID (--stack NAME | --local [--data FOLDER]) [< FILE]
  Asks for the secret key that the provider of captchas gave, or reads it from standard input, and puts it beside those
  of other projects into Secrets Manager. It is in use within 5 minutes.
  --delete                              deletes it instead`;

await runCommand(async () => {
  const { values } = parseFlags({
    args: process.argv.slice(2),
    options: {
      ...{ project: { type: 'string' }, stack: { type: 'string' }, data: { type: 'string' } },
      ...{ local: { type: 'boolean' }, delete: { type: 'boolean' } },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const { project, stack, local, data, help, ...others } = values as {
    [Flag in 'project' | 'stack' | 'data']?: string;
  } & { [Flag in 'local' | 'delete' | 'help']?: boolean };
  if (help) return usage;
  if (!project) throw new CommandFailure('Pass --project ID.');
  const target = requireTarget({ stack, local, data });
  const { captcha } = requireProject(await projectsAt(target), project);
  // Each request that needs a captcha would be answered with 503.
  if (others.delete && captcha)
    throw new CommandFailure(
      `The project ${project} asks for a captcha. Turn that off first: npm run project:update -- --captcha ''.`,
    );
  const key = others.delete ? undefined : readSecretLine(await readSecret('Secret key: '));
  if ('folder' in target) {
    const { setLocalCaptchaKey } = await import('../local/captcha-keys.ts');
    await setLocalCaptchaKey(target.folder, project, key);
  } else {
    const { storeCaptchaKey } = await import('./captcha-secret-stack.ts');
    await storeCaptchaKey(target.stack, project, key);
  }
  return JSON.stringify({ project_id: project, [key === undefined ? 'deleted' : 'set']: true });
});
