/** Checks a deployment, or the prerequisites of one: `npm run doctor`. */
import { isStage, readSettings } from '../lib/config.ts';
import { checkConcurrency, checkRegion, checkSandbox, checkSenders } from './doctor/account.ts';
import { attempt, type Finding, note, report } from './doctor/finding.ts';
import {
  checkLinks,
  checkProjectSenders,
  checkProviderNames,
  checkRoundTrip,
  listProjects,
} from './doctor/projects.ts';
import {
  checkAlarms,
  checkEventSources,
  checkFirstKey,
  checkRouteSettings,
  checkXpub,
} from './doctor/service.ts';
import { checkProtection, checkState, isDeployed, readStack, type Stack } from './doctor/stack.ts';
import { CommandFailure, readFlags, runCommand, type Terminal } from './flags.ts';

const usage = `Usage: npm run doctor -- --stack NAME [--read-only]
Checks the stack and the settings of its stage (config/<stage>.json) and shows how to fix each problem. Before the first
deployment it checks the prerequisites. It uses the region and credentials of the AWS CLI.
  --read-only   skip the round trip, which creates and deletes a user in the project "doctor-of-deployment"
Exit code 1: something is wrong.`;

const prefix = 'identity-workspace-';

export async function main(args: string[], terminal: Terminal): Promise<string> {
  const values = readFlags(args, {
    stack: { type: 'string' },
    'read-only': { type: 'boolean' },
  });
  if (!values) return usage;
  const { stack: name = '', 'read-only': readOnly = false } = values;
  const stage = name.slice(prefix.length);
  if (!name.startsWith(prefix) || !isStage(stage))
    throw new CommandFailure(`Pass --stack ${prefix}STAGE.`);
  const settings = readSettings(stage, terminal.env['CONFIG_DIR'] || undefined);
  const stack = await readStack(name);
  const findings = (
    await Promise.all([
      attempt('deployment', async () => checkState(stack, settings)),
      attempt('protection', () => checkProtection(stack, settings)),
      attempt('concurrency', () => checkConcurrency(stack, settings)),
      ...(isDeployed(stack)
        ? deployed(stack)
        : [attempt('region', checkRegion), beforeDeployment()]),
    ])
  ).flat();
  if (findings.some(({ status }) => status === 'wrong')) terminal.exitCode = 1;
  return report(findings);

  function deployed(of: Stack): Promise<Finding[]>[] {
    return [
      attempt('signing key', () => checkFirstKey(of)),
      attempt('event sources', () => checkEventSources(of)),
      attempt('alarms', () => checkAlarms(of, settings)),
      attempt('wallets', () => checkXpub(of, settings)),
      attempt('route settings', () => checkRouteSettings(of)),
      attempt('projects', () => ofProjects(of)),
      ...(readOnly ? [] : [attempt('round trip', () => checkRoundTrip(of))]),
    ];
  }

  async function ofProjects(of: Stack): Promise<Finding[]> {
    const projects = await listProjects(of);
    const senders = projects.flatMap(({ mail_sender }) => mail_sender ?? []);
    return [
      ...checkProjectSenders(projects, settings),
      ...(await mail([...(settings.mailSender ? [settings.mailSender] : []), ...senders])),
      ...checkProviderNames(projects),
      ...projects.map((project) => checkLinks(project, of)),
      ...(projects.length > 0
        ? []
        : [
            note(
              'projects',
              'There is no project yet.',
              `npm run project:create -- --name NAME --invitation-base-url https://YOUR.SITE/join --stack ${name}`,
            ),
          ]),
    ];
  }

  async function beforeDeployment(): Promise<Finding[]> {
    const { mailSender } = settings;
    if (mailSender) return mail([mailSender]);
    return [
      note(
        'sender',
        'Only projects with a sender of their own can send mail.',
        `Set "mailSender" in config/${stage}.json.`,
      ),
    ];
  }
}

if (import.meta.main) await runCommand(main);

/** Checks of the mail senders; none if nothing sends mail. */
async function mail(senders: readonly string[]): Promise<Finding[]> {
  if (senders.length === 0) return [];
  const [sandbox, ...each] = await Promise.all([
    attempt('SES', checkSandbox),
    attempt('sender', () => checkSenders(senders)),
  ]);
  return [...sandbox, ...each.flat()];
}
