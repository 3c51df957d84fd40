import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../lib/config.ts';
import type { Operation } from '../../shared/contract/api.ts';
import { lifetimes } from '../../shared/model/limits.ts';
import { baseOf, isOfOneIssuer } from '../../shared/model/provider-presets.ts';
import type { NewSecret } from '../../shared/operator/secrets.ts';
import type { ProjectSummary } from '../../shared/operator/summary.ts';
import { missingLinks } from '../project/links.ts';
import { operateStack } from '../project/stack.ts';
import { type Finding, ok, wrong } from './finding.ts';
import { call } from './http.ts';
import { deployCommand, logCommandOf, type Stack } from './stack.ts';

/** The project of the round trip. It has a live secret only during the check. */
const own = 'doctor-of-deployment';
/** Milliseconds after which the next check revokes a secret left by a check that died. */
const stale = 60 * 60_000;

/** The projects of a stack, listed by its operator function, without the doctor's own. */
export async function listProjects(stack: Stack): Promise<ProjectSummary[]> {
  return (await listAll(stack)).filter(({ project_id }) => project_id !== own);
}

async function listAll(stack: Stack): Promise<ProjectSummary[]> {
  const answer = await operateStack({ action: 'list' }, stack.name);
  return (answer as { projects: ProjectSummary[] }).projects;
}

/** Checks that every project has a mail sender, its own or the deployment's. */
export function checkProjectSenders(
  projects: readonly ProjectSummary[],
  { mailSender, stage }: Config,
): Finding[] {
  if (mailSender !== undefined) return [];
  const without = projects.filter(({ mail_sender }) => mail_sender === undefined);
  if (without.length === 0) return [];
  return [
    wrong(
      'sender',
      `There is no mail sender for ${without.map(({ project_id }) => project_id).join(', ')}: their mails are rejected.`,
      `Set "mailSender" in config/${stage}.json.`,
      deployCommand(stage),
    ),
  ];
}

/** Checks that a provider's name means one issuer in all projects: settings of old releases may conflict. */
export function checkProviderNames(projects: readonly ProjectSummary[]): Finding[] {
  const uses = projects.flatMap(({ project_id, sign_in_providers = {} }) =>
    Object.entries(sign_in_providers)
      .filter(([name]) => !isOfOneIssuer(name))
      .map(([name, provider]) => ({ name, project_id, issuer: baseOf(provider) })),
  );
  return [...Map.groupBy(uses, ({ name }) => name)].flatMap(([name, of]) => {
    if (new Set(of.map(({ issuer }) => issuer)).size === 1) return [];
    return wrong(
      `provider ${name}`,
      `The name stands for several issuers, so one could be given the code of another's user: ${of.map(({ project_id, issuer }) => `${issuer} in ${project_id}`).join(', ')}.`,
      'Call it by another name in all projects but those of one issuer, with its redirect URI and its client secret: https://<your domain>/oauth/<name>/callback.',
    );
  });
}

const cut = ' The token of an invitation takes the place of what follows the # in their address.';

/**
 * Checks that the links in a project's mails and invitations have a target. An address with a fragment has none, because
 * the token of an invitation takes its place: releases before 0.26.0 stored such addresses.
 */
export function checkLinks(project: ProjectSummary, stack: Stack): Finding {
  const { project_id, invitation_base_url, mail_links, hosted_pages } = project;
  const check = `links of ${project_id}`;
  const update = `npm run project:update -- --project ${project_id} --stack ${stack.name}`;
  const missing = missingLinks(project);
  const isCut = invitation_base_url.includes('#');
  const nowhere =
    isCut || (!hosted_pages && new URL(invitation_base_url).hostname.endsWith('.invalid'));
  if (!nowhere && missing.length === 0) return ok(check, 'All links have a target.');
  const placeholders = missing.map((purpose) => [purpose, 'https://YOUR.SITE/PAGE'] as const);
  const links = JSON.stringify({ ...mail_links, ...Object.fromEntries(placeholders) });
  return wrong(
    check,
    `Links of ${[...(nowhere ? ['invitations'] : []), ...missing].join(', ')} have no target.${isCut ? cut : ''}`,
    ...(nowhere
      ? [`${update} --invitation-base-url ${hosted_pages ? "''" : 'https://YOUR.SITE/join'}`]
      : []),
    ...(missing.length > 0 ? [`${update} --mail-links '${links}'`] : []),
  );
}

/**
 * Checks that a user can be signed in, with the operator function and over HTTP, in the doctor's own project. Removes
 * everything it creates there: the user with the session, and the secret.
 */
export async function checkRoundTrip(stack: Stack): Promise<Finding> {
  const check = 'round trip';
  const exists = (await listAll(stack)).some(({ project_id }) => project_id === own);
  const made = (await operateStack(
    exists
      ? { action: 'create-secret', project_id: own }
      : { action: 'create', project_id: own, name: 'Round trips of npm run doctor' },
    stack.name,
  )) as NewSecret;
  try {
    // Instances that have just read the project accept the new secret after that time.
    await sleep(lifetimes.projectReread * 1_000 + 200);
    const failed = await signIn(stack, `Basic ${btoa(`${own}:${made.secret}`)}`);
    if (!failed) return ok(check, `${stack.outputs['BaseUrl']} signs a user in.`);
    return wrong(
      check,
      `${failed.operation} answers ${failed.status}: ${failed.detail}`,
      logCommandOf(stack, failed.operation),
    );
  } finally {
    await endSecrets(made, stack);
  }
}

/** The newest secret belongs to this check; the others were left by checks that died. */
async function endSecrets({ secrets }: NewSecret, stack: Stack): Promise<void> {
  const old = Date.now() - stale;
  const ended = secrets.filter(
    ({ created_at }, place) => place === 0 || Date.parse(created_at) < old,
  );
  for (const { secret_id } of ended)
    await operateStack({ action: 'revoke-secret', project_id: own, secret_id }, stack.name);
}

type Failed = { operation: Operation; status: number; detail: string };

/** Creates a user, signs them in, reads their profile and deletes them. Returns the step that failed. */
async function signIn(stack: Stack, authorization: string): Promise<Failed | undefined> {
  const base = stack.outputs['BaseUrl'] ?? '';
  let failed: Failed | undefined;
  const step = async (
    operation: Operation,
    [method, path]: readonly [string, string],
    options: Parameters<typeof call>[3],
  ): Promise<Record<string, string>> => {
    if (failed) return {};
    const { status, body } = await call(base, method, path, options);
    const answer = body as Record<string, string>;
    if (status >= 300) failed = { operation, status, detail: answer['detail'] ?? '' };
    return answer;
  };
  const { uid = '' } = await step('users.create', ['POST', '/users'], {
    authorization,
    body: { email: 'doctor@example.com' },
  });
  const { access_token = '' } = await step('sessions.create', ['POST', '/sessions'], {
    authorization,
    body: { uid },
  });
  const me = await step('users.getMe', ['GET', '/users/me'], {
    authorization: `Bearer ${access_token}`,
  });
  if (!failed && me['uid'] !== uid)
    failed = { operation: 'users.getMe', status: 200, detail: 'It returned another user.' };
  // Also after a failure; otherwise the user would stay.
  const before = failed;
  failed = undefined;
  if (uid !== '') await step('users.delete', ['DELETE', `/users/${uid}`], { authorization });
  return before ?? failed;
}
