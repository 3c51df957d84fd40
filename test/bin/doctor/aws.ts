import { type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Config } from '../../../lib/config.ts';
import { settings } from '../../../lib/settings.ts';
import { serve } from '../../support/serve.ts';
import { describedStack, noStack } from '../described-stack.ts';
import { accountAt } from '../run.ts';

/** An account as the doctor sees it. Tests change the properties that they test. */
export type Account = {
  /** Undefined: there is no stack. */
  stack: { status: string; protected: boolean; outputs: Record<string, string> } | undefined;
  /** Whether the table of the output `TableName` is protected from deletion. */
  table: { protected: boolean };
  /** Lambda's limits, and the reserved concurrency of webhooks.deliver. */
  concurrency: { limit: number; unreserved: number; reserved?: number };
  /** Variables of users.create. */
  variables: Record<string, string>;
  ses: { production: boolean; sending: boolean; identities: Record<string, boolean> };
  secret: { stages: string[][]; changed: number };
  subscriptions: { endpoint: string; arn: string }[];
  routeSettings: Record<string, object>;
  /** The state of each event source mapping, by its UUID. */
  mappings: Record<string, { State: string; StateTransitionReason?: string }>;
  /** Operations that are denied because of a missing permission. */
  denied: string[];
  /** The operator function. */
  operate(request: { action: string }): unknown;
};

/** The resources of a stack that the doctor looks up: type, logical id, and physical name. */
export const resources = [
  ['AWS::SecretsManager::Secret', 'MailSecret0A1B2C3D', 'arn:mail'],
  ['AWS::SecretsManager::Secret', 'SigningSecret0A1B2C3D', 'arn:signing'],
  ['AWS::SNS::Topic', 'AlarmsTopic0A1B2C3D', 'arn:topic'],
  ['AWS::ApiGatewayV2::Api', 'HttpApi0A1B2C3D', 'api1'],
  ['AWS::Lambda::Function', 'webhooksdeliverFunction0A1B2C3D', 'deliver'],
  ['AWS::Lambda::Function', 'userscreateFunction0A1B2C3D', 'create'],
  ['AWS::Lambda::EventSourceMapping', 'StreamSort0A1B2C3D', 'sort'],
  ['AWS::Lambda::EventSourceMapping', 'Streammailsend0A1B2C3D', 'send'],
  ['AWS::Logs::LogGroup', 'platformLogs0A1B2C3D', 'log-of-platform'],
  ['AWS::Logs::LogGroup', 'identityLogs0A1B2C3D', 'log-of-identity'],
] as const;

export const stackName = 'identity-workspace-dev';

/** An account without problems. */
export const healthy = (): Account => ({
  stack: {
    status: 'UPDATE_COMPLETE',
    protected: false,
    outputs: {
      OperatorFunctionName: 'operate',
      BaseUrl: 'http://127.0.0.1:9',
      TableName: 'table1',
    },
  },
  table: { protected: true },
  concurrency: { limit: 1000, unreserved: 1000 },
  variables: {},
  ses: { production: true, sending: true, identities: {} },
  secret: { stages: [['AWSCURRENT', 'AWSPENDING'], ['AWSPREVIOUS']], changed: 0 },
  subscriptions: [],
  routeSettings: {},
  mappings: { sort: { State: 'Enabled' }, send: { State: 'Enabled' } },
  denied: [],
  operate: () => ({ projects: [] }),
});

/**
 * Serves the doctor's AWS calls, with each service's own protocol, on a free loopback port. Each request reads the
 * current account. Call it at the top of a file; it closes automatically.
 */
export async function startAws(account: () => Account) {
  const endpoint = await serve((request, response) => {
    text(request)
      .then((body) => answer(account(), request, body))
      .then(({ status = 200, headers = {}, body }) => {
        response.writeHead(status, headers);
        response.end(typeof body === 'string' ? body : JSON.stringify(body));
      })
      .catch(() => response.destroy());
  });
  Object.assign(process.env, accountAt(endpoint));
  return endpoint;
}

/** The settings of a stage with these values. */
export const configOf = (set: object = {}, stage = 'dev'): Config => ({
  stage,
  ...settings.parse({ deletionProtection: false, ...set }),
});

type Answer = { status?: number; headers?: Record<string, string>; body: object | string };

async function answer(account: Account, request: IncomingMessage, sent: string): Promise<Answer> {
  const path = decodeURIComponent(new URL(request.url ?? '/', 'http://aws').pathname);
  const action =
    new URLSearchParams(sent).get('Action') ??
    request.headers['x-amz-target']?.toString().split('.')[1] ??
    path;
  if (account.denied.includes(action)) return refuse(403, 'AccessDeniedException', 'Not allowed.');
  const [, identity] = /^\/v2\/email\/identities\/(.+)$/.exec(path) ?? [];
  if (identity !== undefined) return identityOf(account, identity);
  if (path.endsWith('/invocations')) return invoke(account, sent);
  const [, mapping = ''] = /^\/2015-03-31\/event-source-mappings\/(.+)$/.exec(path) ?? [];
  if (account.mappings[mapping]) return { body: { UUID: mapping, ...account.mappings[mapping] } };
  const { concurrency, ses, secret } = account;
  switch (action) {
    case 'DescribeStacks':
      return describeStack(account);
    case 'ListStackResources':
      return xml(
        action,
        `<StackResourceSummaries>${resources.map(summary).join('')}</StackResourceSummaries>`,
      );
    case 'ListSubscriptionsByTopic':
      return xml(
        action,
        `<Subscriptions>${account.subscriptions.map(({ endpoint, arn }) => `<member><Endpoint>${endpoint}</Endpoint><SubscriptionArn>${arn}</SubscriptionArn></member>`).join('')}</Subscriptions>`,
      );
    case 'DescribeSecret': {
      const stages = Object.fromEntries(secret.stages.map((each, at) => [`version-${at}`, each]));
      return { body: { VersionIdsToStages: stages, LastChangedDate: secret.changed / 1_000 } };
    }
    case 'DescribeTable': {
      const { TableName } = JSON.parse(sent) as { TableName?: string };
      if (TableName !== account.stack?.outputs['TableName'])
        return refuse(400, 'ResourceNotFoundException', `Table: ${TableName} not found`);
      return { body: { Table: { TableName, DeletionProtectionEnabled: account.table.protected } } };
    }
    case '/2016-08-19/account-settings':
      return {
        body: {
          AccountLimit: {
            ConcurrentExecutions: concurrency.limit,
            UnreservedConcurrentExecutions: concurrency.unreserved,
          },
        },
      };
    case '/2019-09-30/functions/deliver/concurrency':
      return { body: { ReservedConcurrentExecutions: concurrency.reserved } };
    case '/2015-03-31/functions/create/configuration':
      return { body: { Environment: { Variables: account.variables } } };
    case '/v2/email/account':
      return {
        body: {
          ProductionAccessEnabled: ses.production,
          SendingEnabled: ses.sending,
          EnforcementStatus: ses.sending ? 'HEALTHY' : 'SHUTDOWN',
        },
      };
    case '/v2/apis/api1/stages/$default':
      return { body: { stageName: '$default', routeSettings: account.routeSettings } };
    default:
      return refuse(404, 'UnknownOperationException', `There is no ${action} here.`);
  }
}

function describeStack({ stack }: Account): Answer {
  if (!stack) return { status: 400, body: noStack(stackName) };
  const more = `<StackName>${stackName}</StackName><StackStatus>${stack.status}</StackStatus><EnableTerminationProtection>${stack.protected}</EnableTerminationProtection>`;
  return { headers: { 'content-type': 'text/xml' }, body: describedStack(stack.outputs, more) };
}

const summary = ([type, id, name]: (typeof resources)[number]) =>
  `<member><ResourceType>${type}</ResourceType><LogicalResourceId>${id}</LogicalResourceId><PhysicalResourceId>${name}</PhysicalResourceId></member>`;

const xml = (action: string, result: string): Answer => ({
  headers: { 'content-type': 'text/xml' },
  body: `<${action}Response><${action}Result>${result}</${action}Result></${action}Response>`,
});

function identityOf({ ses }: Account, identity: string): Answer {
  const verified = ses.identities[identity];
  return verified === undefined
    ? refuse(404, 'NotFoundException', `Email identity ${identity} does not exist.`)
    : { body: { VerifiedForSendingStatus: verified } };
}

async function invoke(account: Account, sent: string): Promise<Answer> {
  try {
    return { body: ((await account.operate(JSON.parse(sent))) ?? null) as object };
  } catch (error) {
    return {
      headers: { 'x-amz-function-error': 'Unhandled' },
      body: { errorType: 'Error', errorMessage: (error as Error).message },
    };
  }
}

const refuse = (status: number, code: string, message: string): Answer => ({
  status,
  headers: { 'x-amzn-errortype': code, 'content-type': 'application/json' },
  body: { message, __type: code },
});
