import {
  GetAccountSettingsCommand,
  GetFunctionConcurrencyCommand,
  LambdaClient,
} from '@aws-sdk/client-lambda';
import { GetAccountCommand, GetEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import type { Config } from '../../lib/config.ts';
import { type Finding, note, ok, wrong } from './finding.ts';
import { functionOf, isDeployed, type Stack } from './stack.ts';

/** Concurrent executions that Lambda keeps unreserved. */
const unreservable = 100;
/** Lambda's default concurrency limit of an account; new accounts start with 10. */
const usual = 1_000;

/** Checks the account's concurrency limit and whether it can reserve `webhookConcurrency`. */
export async function checkConcurrency(stack: Stack, config: Config): Promise<Finding> {
  const check = 'concurrency';
  const lambda = new LambdaClient();
  const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand());
  const { ConcurrentExecutions: limit = 0, UnreservedConcurrentExecutions: free = 0 } =
    AccountLimit ?? {};
  const more = `aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${usual}`;
  const runs = `Lambda runs ${limit} functions at once in this account and region`;
  const { webhookConcurrency: reservation } = config;
  if (reservation !== undefined) {
    const own = isDeployed(stack) ? await reservedBy(lambda, stack) : 0;
    const room = Math.max(0, free + own - unreservable);
    if (reservation > room)
      return wrong(
        check,
        `webhookConcurrency is ${reservation}, but ${runs} and keeps ${unreservable} of them unreserved: at most ${room} can be reserved.${limit < usual ? ` A new account starts with 10 and can reserve none.` : ''}`,
        `Remove "webhookConcurrency" from config/${config.stage}.json, or request a higher limit from AWS first:`,
        more,
      );
  }
  if (limit < usual)
    return note(
      check,
      `${runs}, fewer than the default ${usual}. Above the limit, requests get 503, and mails, events and webhooks wait.`,
      more,
    );
  return ok(check, `${runs}.`);
}

async function reservedBy(lambda: LambdaClient, stack: Stack): Promise<number> {
  const FunctionName = functionOf(stack, 'webhooks.deliver');
  const reserved = await lambda.send(new GetFunctionConcurrencyCommand({ FunctionName }));
  return reserved.ReservedConcurrentExecutions ?? 0;
}

/** Checks for each sender that SES may send for it: the address or one of its parent domains is a verified identity. */
export async function checkSenders(senders: readonly string[]): Promise<Finding[]> {
  const client = new SESv2Client();
  return Promise.all([...new Set(senders)].map((sender) => checkSender(client, sender)));
}

async function checkSender(client: SESv2Client, sender: string): Promise<Finding> {
  const check = 'sender';
  const identities = identitiesOf(sender);
  const standing = await Promise.all(identities.map((each) => isVerified(client, each)));
  const verified = identities[standing.indexOf(true)];
  if (verified) return ok(check, `SES sends for ${sender}, using the identity ${verified}.`);
  const waiting = identities[standing.indexOf(false)];
  if (waiting === sender)
    return wrong(
      check,
      `${sender} is not verified: open the link in the mail from AWS. To get a new mail:`,
      `aws sesv2 delete-email-identity --email-identity ${sender}`,
      `aws sesv2 create-email-identity --email-identity ${sender}`,
    );
  if (waiting)
    return wrong(
      check,
      `${waiting} is not verified: put its three CNAME records TOKEN._domainkey.${waiting} -> TOKEN.dkim.amazonses.com into DNS.`,
      `aws sesv2 get-email-identity --email-identity ${waiting} --query DkimAttributes.Tokens`,
    );
  return wrong(
    check,
    `SES has no identity for ${sender}, so its mails are rejected.`,
    `aws sesv2 create-email-identity --email-identity ${identities[1] ?? sender}`,
  );
}

/** The identities that cover an address: the address, its domain and the parent domains. */
function identitiesOf(sender: string): string[] {
  const labels = sender.slice(sender.lastIndexOf('@') + 1).split('.');
  const domains = labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'));
  return [sender, ...domains];
}

/** Undefined if the identity does not exist. */
async function isVerified(client: SESv2Client, identity: string): Promise<boolean | undefined> {
  try {
    const found = await client.send(new GetEmailIdentityCommand({ EmailIdentity: identity }));
    return found.VerifiedForSendingStatus ?? false;
  } catch (error) {
    if ((error as Error).name === 'NotFoundException') return undefined;
    throw error;
  }
}

/**
 * Checks that the region has SES: without it no stack can be created, because each has a configuration set. AWS brings
 * SES to more regions, so a region is one without it only while its endpoint has no address.
 */
export async function checkRegion(): Promise<Finding> {
  const check = 'region';
  const client = new SESv2Client();
  const region = await client.config.region();
  try {
    await client.send(new GetAccountCommand());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTFOUND') throw error;
    return wrong(
      check,
      `SES has no address in ${region}, and without SES the stack cannot be created.`,
      'Set AWS_REGION to a region with SES.',
    );
  }
  return ok(check, `${region} has SES.`);
}

/** Checks that SES sends to any recipient for this account: out of the sandbox, and not stopped. */
export async function checkSandbox(): Promise<Finding> {
  const check = 'SES';
  const account = await new SESv2Client().send(new GetAccountCommand());
  if (!account.ProductionAccessEnabled)
    return wrong(
      check,
      'The account is in the SES sandbox: it can send only to verified addresses.',
      'aws sesv2 put-account-details --production-access-enabled --mail-type TRANSACTIONAL --website-url https://YOUR.SITE --contact-language EN',
    );
  if (!account.SendingEnabled)
    return wrong(
      check,
      `SES has stopped sending for this account (${account.EnforcementStatus}).`,
      'aws sesv2 put-account-sending-attributes --sending-enabled',
    );
  return ok(check, 'The account is out of the SES sandbox.');
}
