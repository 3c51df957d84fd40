import { ApiGatewayV2Client, GetStageCommand } from '@aws-sdk/client-apigatewayv2';
import {
  GetEventSourceMappingCommand,
  GetFunctionConfigurationCommand,
  LambdaClient,
} from '@aws-sdk/client-lambda';
import { DescribeSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { ListSubscriptionsByTopicCommand, SNSClient } from '@aws-sdk/client-sns';
import type { Config } from '../../lib/config.ts';
import { isPublishedXpub } from '../../shared/identity/wallet/published-xpubs.ts';
import { type Finding, note, ok, wrong } from './finding.ts';
import { call } from './http.ts';
import { deployCommand, functionOf, logCommandOf, resourceOf, type Stack } from './stack.ts';

/** Milliseconds that a rotation may take. */
const rotating = 5 * 60_000;

/** Checks that a signing key exists, its public part is published and the last rotation finished. */
export async function checkFirstKey(stack: Stack): Promise<Finding> {
  const check = 'signing key';
  const SecretId = resourceOf(stack, 'AWS::SecretsManager::Secret', /^SigningSecret/);
  const again = `aws secretsmanager rotate-secret --secret-id ${SecretId}`;
  const log = logCommandOf(stack, 'keys.rotate');
  const secret = await new SecretsManagerClient().send(new DescribeSecretCommand({ SecretId }));
  const stages = Object.values(secret.VersionIdsToStages ?? {});
  const { body } = await call(stack.outputs['BaseUrl'] ?? '', 'GET', '/.well-known/jwks.json');
  const { keys = [] } = body as { keys?: unknown[] };
  if (keys.length === 0) return wrong(check, 'There is no signing key yet.', again, log);
  const pending = stages.find((each) => each.includes('AWSPENDING'));
  if (!pending || pending.includes('AWSCURRENT'))
    return ok(check, `There is a signing key, and ${keys.length} public keys are published.`);
  const begun = secret.LastChangedDate?.getTime() ?? 0;
  return Date.now() - begun < rotating
    ? note(check, 'A rotation is in progress: run this again in five minutes.')
    : wrong(check, 'The last rotation did not finish. The previous keys still work.', log, again);
}

/**
 * Checks that the stream and the queues invoke their functions. While they do not, nothing fails and no record has an
 * age, so no alarm is raised.
 */
export async function checkEventSources(stack: Stack): Promise<Finding[]> {
  const check = 'event sources';
  const lambda = new LambdaClient();
  const mappings = stack.resources.filter(({ type }) => type === 'AWS::Lambda::EventSourceMapping');
  const findings = await Promise.all(
    mappings.map(async ({ id, name: UUID }) => {
      const { State = 'unknown', StateTransitionReason: reason } = await lambda.send(
        new GetEventSourceMappingCommand({ UUID }),
      );
      if (State === 'Enabled') return [];
      const text = `${id} is ${State}${reason ? ` (${reason})` : ''}`;
      if (/^(?:Creating|Enabling|Updating)$/.test(State))
        return [note(check, `${text}: run this again in five minutes.`)];
      return [
        wrong(
          check,
          `${text}: changes wait there, and events, webhooks or mails with them. The stream keeps changes for 24 hours.`,
          `aws lambda update-event-source-mapping --uuid ${UUID} --enabled`,
        ),
      ];
    }),
  );
  if (findings.some((each) => each.length > 0)) return findings.flat();
  return [ok(check, 'The stream and the queues invoke their functions.')];
}

/** Checks that alarms send a mail. */
export async function checkAlarms(stack: Stack, { alarmEmail, stage }: Config): Promise<Finding> {
  const check = 'alarms';
  if (alarmEmail === undefined)
    return note(
      check,
      'Alarms do not send mail.',
      `Set "alarmEmail" in config/${stage}.json.`,
      deployCommand(stage),
    );
  const topic = stack.resources.find(({ type }) => type === 'AWS::SNS::Topic')?.name;
  if (topic === undefined)
    return wrong(check, `Alarms do not send mail to ${alarmEmail} yet.`, deployCommand(stage));
  const listed = await new SNSClient().send(
    new ListSubscriptionsByTopicCommand({ TopicArn: topic }),
  );
  const found = listed.Subscriptions?.find(({ Endpoint }) => Endpoint === alarmEmail);
  if (found?.SubscriptionArn?.startsWith('arn:'))
    return ok(check, `Alarms send mail to ${alarmEmail}.`);
  return wrong(
    check,
    `${alarmEmail} has not confirmed the mail "AWS Notification - Subscription Confirmation". To get a new mail:`,
    `aws sns subscribe --topic-arn ${topic} --protocol email --notification-endpoint ${alarmEmail}`,
  );
}

/** Checks that wallet addresses are derived from the operator's own key. */
export async function checkXpub(stack: Stack, { walletXpub, stage }: Config): Promise<Finding> {
  const check = 'wallets';
  const FunctionName = functionOf(stack, 'users.create');
  const { Environment } = await new LambdaClient().send(
    new GetFunctionConfigurationCommand({ FunctionName }),
  );
  const deployed = Environment?.Variables?.['WALLET_XPUB'] || undefined;
  const set = `Set "walletXpub" in config/${stage}.json; npm run wallet -- --help shows how to create it.`;
  if (deployed !== undefined && isPublishedXpub(deployed))
    return wrong(
      check,
      'The stack has the development key or a test vector of BIP-32, whose private keys anyone can derive: no user can be created.',
      set,
      deployCommand(stage),
    );
  if (deployed !== walletXpub)
    return wrong(
      check,
      `The stack and config/${stage}.json have different values of "walletXpub".`,
      deployCommand(stage),
    );
  return deployed === undefined
    ? note(check, 'Users have no wallet address, because "walletXpub" is not set.', set)
    : ok(check, 'Addresses are derived from the key in the settings.');
}

/** Checks that the API stage has no settings of single routes, which versions up to 0.4.0 created. */
export async function checkRouteSettings(stack: Stack): Promise<Finding> {
  const check = 'route settings';
  const ApiId = resourceOf(stack, 'AWS::ApiGatewayV2::Api', /./);
  const stage = await new ApiGatewayV2Client().send(
    new GetStageCommand({ ApiId, StageName: '$default' }),
  );
  const keys = Object.keys(stage.RouteSettings ?? {});
  if (keys.length === 0) return ok(check, 'Routes can be added and removed.');
  return wrong(
    check,
    `The API stage has settings of ${keys.length} single routes. Once one of these routes is removed, deployments of the stage fail.`,
    ...keys.map(
      (key) =>
        `aws apigatewayv2 delete-route-settings --api-id ${ApiId} --stage-name '$default' --route-key '${key}'`,
    ),
  );
}
