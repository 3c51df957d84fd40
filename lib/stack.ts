import {
  type App,
  BOOTSTRAP_QUALIFIER_CONTEXT,
  CfnOutput,
  Lazy,
  PermissionsBoundary,
  Stack,
  Validations,
} from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { providerSecretsPrefix } from '../shared/model/provider-secret.ts';
import { Alarms } from './alarms.ts';
import { Api } from './api.ts';
import { Bus } from './bus.ts';
import type { Config } from './config.ts';
import { DomainFunctions } from './domain-functions.ts';
import type { FunctionProps } from './function.ts';
import { domains } from './functions.ts';
import { MailFeedback } from './mail-feedback.ts';
import { followOrganisation } from './organisation.ts';
import { Schedules } from './schedules.ts';
import { makeSecrets, secretIds } from './secrets.ts';
import { StreamSources } from './stream-sources.ts';
import { makeTable } from './table.ts';

/**
 * Adds the service to the app, and the AwsSolutions rules; violations fail the synthesis.
 *
 * @param bundles folder with one bundle for every function
 */
export function addService(app: App, config: Config, bundles: string): ServiceStack {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  // Before the stack, which reads it.
  const { bootstrapQualifier } = config;
  if (bootstrapQualifier) app.node.setContext(BOOTSTRAP_QUALIFIER_CONTEXT, bootstrapQualifier);
  return new ServiceStack(app, config, bundles);
}

/** The whole service in one account and region, which `cdk deploy` takes from the operator's credentials. */
class ServiceStack extends Stack {
  constructor(scope: App, config: Config, bundles: string) {
    const { permissionsBoundaryArn: boundary } = config;
    super(scope, `identity-workspace-${config.stage}`, {
      description: 'Identity and workspace service',
      terminationProtection: config.deletionProtection,
      // CloudFormation passes them on to its resources, but not to the API and the table.
      tags: config.tags,
      ...(boundary && { permissionsBoundary: PermissionsBoundary.fromArn(boundary) }),
    });
    followOrganisation(this, config);
    const table = makeTable(this, config);
    const secrets = makeSecrets(this);
    const stream = new StreamSources(this, 'Stream', table);
    const bus = new Bus(this, 'Events', stream.deadLetters);
    const mailFeedback = new MailFeedback(this, 'MailFeedback', stream.deadLetters);
    const schedules = new Schedules(this, 'Schedules', stream.deadLetters);
    const api = new Api(this, 'Http', config);
    const props: FunctionProps = {
      table,
      secrets,
      stream,
      bus,
      mailFeedback,
      schedules,
      bundles,
      environment: {
        TABLE_NAME: table.tableName,
        BASE_URL: api.baseUrl,
        ...secretIds(secrets),
        PROVIDER_SECRETS_PREFIX: providerSecretsPrefix(this.stackName),
        MAIL_SENDER: config.mailSender,
        MAIL_CONFIGURATION_SET: mailFeedback.configurationSet,
        EVENT_BUS: bus.eventBus.eventBusName,
        SCHEDULE_GROUP: schedules.group,
        SCHEDULE_ROLE_ARN: schedules.role.roleArn,
        DEAD_LETTERS_ARN: stream.deadLetters.queueArn,
        CHANGES_QUEUE_URL: stream.queues.changes.queueUrl,
        MAILS_QUEUE_URL: stream.queues.mails.queueUrl,
        // Lazy, because the function is created later.
        WEBHOOK_SENDER_ARN: Lazy.string({
          produce: () => lambdas.get('webhooks.deliver')?.functionArn,
        }),
        WALLET_XPUB: config.walletXpub,
        WALLET_TYPE: config.walletType,
        TRUSTED_PROXY_SHA256: config.trustedProxy?.secretDigests.join(','),
        TRUSTED_PROXY_ONLY: config.trustedProxy?.only.toString(),
      },
      tracing: config.tracing,
    };
    const alarms = new Alarms(this, 'Alarms', {
      api: api.httpApi,
      table,
      deadLetters: stream.deadLetters,
      email: config.alarmEmail,
    });
    const lambdas = new Map(
      Object.entries(domains).flatMap(([name, domain]) => [
        ...new DomainFunctions(this, name, domain, { props, config, alarms }).lambdas,
      ]),
    );
    api.changeAfter(...lambdas.values());
    this.output('BaseUrl', 'Base URL of the service', api.baseUrl);
    this.output('TableName', 'Name of the table', table.tableName);
    this.output('EventBusName', 'Event bus for your own rules', bus.eventBus.eventBusName);
    this.output(
      'OperatorFunctionName',
      'Manages projects; callable only through IAM',
      lambdas.get('projects.admin')?.functionName ?? '',
    );
    this.output('CaptchaSecretArn', 'Secret with the keys of captchas', secrets.captcha.secretArn);
    if (api.pagesDomainTargets.length > 0)
      this.output(
        'PagesDomainTargets',
        'Targets of the DNS records of the domains of hosted pages',
        api.pagesDomainTargets.join(' '),
      );
    if (api.domainTarget) this.output('DomainTarget', 'Target of the DNS record', api.domainTarget);
  }

  private output(id: string, description: string, value: string): void {
    new CfnOutput(this, id, { description, value });
  }
}
