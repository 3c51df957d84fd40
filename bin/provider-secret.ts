/** Sets the client secret of a project at an identity provider: `npm run project:provider-secret`. */
import { providerSecretText } from '../shared/model/provider-secret.ts';
import type { ProjectSummary } from '../shared/operator/summary.ts';
import { CommandFailure, readFlags, runCommand, type Terminal } from './flags.ts';
import type { OperatorTarget } from './operate-at.ts';
import { readProviderSecret } from './secrets/provider-secret-text.ts';
import { readSecret } from './secrets/secret-input.ts';
import { requireProject, requireTarget } from './secrets/secret-target.ts';

const usage = `Usage: npm run project:provider-secret -- --project ID --provider NAME (--stack NAME | --local [--data FOLDER]) [< FILE]
  Asks for the client secret of the project at the provider, or reads it from standard input (for apple the private key,
  a .p8 file, from there alone), so that it is in no history and no list of processes, and puts it into Secrets Manager.
  It is in use within 60 s, for the client and the issuer that the provider has now: set it again after you have changed
  either.
  --delete                              deletes it instead; says "deleted": false if there was none`;

export async function main(args: string[], terminal: Terminal): Promise<string> {
  const values = readFlags(args, {
    project: { type: 'string' },
    provider: { type: 'string' },
    stack: { type: 'string' },
    data: { type: 'string' },
    local: { type: 'boolean' },
    delete: { type: 'boolean' },
  });
  if (!values) return usage;
  const { project, provider, stack, local, data, delete: ends = false } = values;
  if (!project || !provider) throw new CommandFailure('Pass --project ID and --provider NAME.');
  const target = requireTarget({ stack, local, data });
  const summary = await requireProject(target, project);
  // Checked before anything is stored: a wrong file would be noticed only at a sign-in. A secret can be deleted after
  // its provider is unset.
  const settings = ends ? undefined : requireProvider(summary, provider);
  // Its lines would be echoed while they are typed.
  if (settings?.preset === 'apple' && terminal.stdin.isTTY) throw new CommandFailure(usage);
  const secret =
    settings &&
    providerSecretText(
      settings,
      readProviderSecret(await readSecret(terminal, 'Client secret: '), settings.preset),
    );
  const isDone = await store(target, { project, provider }, secret);
  return JSON.stringify({ project_id: project, provider, [ends ? 'deleted' : 'set']: isDone });
}

if (import.meta.main) await runCommand(main);

/** Stores a secret, or deletes it if it is undefined. False if there was none to delete. */
async function store(
  target: OperatorTarget,
  { project, provider }: { project: string; provider: string },
  secret: string | undefined,
): Promise<boolean> {
  if ('stack' in target) {
    const { storeProviderSecret } = await import('./secrets/provider-secret-stack.ts');
    return storeProviderSecret({ stack: target.stack, project, provider }, secret);
  }
  const { providerSecretsFile, providerSecretsIn } = await import('../local/provider-secrets.ts');
  const secrets = providerSecretsIn(`${target.folder}/${providerSecretsFile}`);
  const name = `${project}/${provider}`;
  const before = await secrets.get(name);
  await secrets.set(name, secret);
  return secret !== undefined || before !== undefined;
}

function requireProvider({ project_id, sign_in_providers = {} }: ProjectSummary, provider: string) {
  const settings = Object.hasOwn(sign_in_providers, provider)
    ? sign_in_providers[provider]
    : undefined;
  if (settings) return settings;
  const names = Object.keys(sign_in_providers).join(', ') || 'none';
  throw new CommandFailure(
    `The project ${project_id} has no sign-in provider ${provider} (it has ${names}). Set it with npm run project:update -- --sign-in-providers JSON.`,
  );
}
