import { type App, CfnOutput, Stack, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { FunctionName } from '../shared/contract/functions.ts';
import { Alarms } from './alarms.ts';
import { Api } from './api.ts';
import { functionNames } from './bundle.ts';
import { Bus } from './bus.ts';
import type { Config } from './config.ts';
import { lambdaArnOf } from './function-names.ts';
import { ServiceFunction, type Shared } from './function.ts';
import { KeyRotation, makeMailSecret, makeSigningSecret, makeWebhookSecret } from './keys.ts';
import { MailFeedback } from './mail-feedback.ts';
import { Schedules } from './schedules.ts';
import { StreamFeeds } from './stream.ts';
import { makeTable } from './table.ts';

/**
 * Adds the service to the app, and the AwsSolutions rules, without whose approval the app does not synthesise.
 *
 * @param bundles folder with one bundle for every function
 */
export function addService(app: App, config: Config, bundles: string): ServiceStack {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return new ServiceStack(app, config, bundles);
}

/** The whole service in one account and region; `cdk deploy` takes both from the operator's credentials. */
class ServiceStack extends Stack {
  constructor(scope: App, config: Config, bundles: string) {
    super(scope, `identity-workspace-${config.stage}`, {
      description: 'Identity and workspace service',
      terminationProtection: config.deletionProtection,
    });
    const table = makeTable(this, config);
    const signingSecret = makeSigningSecret(this);
    const mailSecret = makeMailSecret(this);
    const webhookSecret = makeWebhookSecret(this);
    const stream = new StreamFeeds(this, 'Stream', table);
    const bus = new Bus(this, 'Events', stream.deadLetters);
    const mailFeedback = new MailFeedback(this, 'MailFeedback', stream.deadLetters);
    const schedules = new Schedules(this, 'Schedules', stream.deadLetters);
    const api = new Api(this, 'Http', config);
    const shared: Shared = {
      table,
      signingSecret,
      mailSecret,
      webhookSecret,
      bus: bus.bus,
      schedules,
      mailFeedback,
      deadLetters: stream.deadLetters,
      queues: stream.queues,
      environment: {
        TABLE_NAME: table.tableName,
        BASE_URL: api.baseUrl,
        SIGNING_SECRET_ID: signingSecret.secretArn,
        MAIL_SECRET_ID: mailSecret.secretArn,
        WEBHOOK_SECRET_ID: webhookSecret.secretArn,
        MAIL_SENDER: config.mailSender,
        MAIL_CONFIGURATION_SET: mailFeedback.configurationSet,
        EVENT_BUS: bus.bus.eventBusName,
        SCHEDULE_GROUP: schedules.group,
        SCHEDULE_ROLE_ARN: schedules.role.roleArn,
        DEAD_LETTERS_ARN: stream.deadLetters.queueArn,
        CHANGES_QUEUE_URL: stream.queues.changes.queueUrl,
        MAILS_QUEUE_URL: stream.queues.mails.queueUrl,
        WEBHOOK_SENDER_ARN: lambdaArnOf(this, 'webhooks.deliver'),
        WALLET_XPUB: config.walletXpub,
        WALLET_TYPE: config.walletType,
        TRUSTED_PROXY_SHA256: config.trustedProxy?.secretDigests.join(','),
        TRUSTED_PROXY_ONLY: config.trustedProxy?.only.toString(),
      },
      logRetentionDays: config.logRetentionDays,
      tracing: config.tracing,
      concurrency: { 'webhooks.deliver': config.webhookConcurrency },
      bundles,
    };
    const functions = Object.fromEntries(
      functionNames.map((name) => [name, new ServiceFunction(this, name, shared)] as const),
    ) as Record<FunctionName, ServiceFunction>;
    api.changeAfter(...Object.values(functions));
    new KeyRotation(this, 'KeyRotation', {
      secret: signingSecret,
      rotate: functions['keys.rotate'].lambda,
    });
    schedules.invoke(functions['webhooks.deliver'].lambda);
    stream.feed((name) => functions[name].lambda);
    bus.subscribe((name) => functions[name].lambda);
    mailFeedback.invoke(functions['mail.recordFeedback'].lambda);
    new Alarms(this, 'Alarms', {
      api: api.api,
      functions,
      table,
      deadLetters: stream.deadLetters,
      changes: stream.queues.changes,
      email: config.alarmEmail,
    });
    this.tell('BaseUrl', 'Where clients call the service', api.baseUrl);
    this.tell('TableName', 'The one table', table.tableName);
    this.tell('EventBusName', 'Where rules of your own find the events', bus.bus.eventBusName);
    this.tell(
      'OperatorFunctionName',
      'Makes projects; callable by IAM only',
      functions['projects.operate'].lambda.functionName,
    );
    if (api.domainTarget)
      this.tell('DomainTarget', 'What the DNS record must point to', api.domainTarget);
  }

  private tell(id: string, description: string, value: string): void {
    new CfnOutput(this, id, { description, value });
  }
}
