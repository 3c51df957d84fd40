import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { grants } from '../../lib/functions.ts';
import { invoke, type Loader } from '../../local/aws/lambda.ts';
import { enforceGrants } from '../../local/aws/permissions.ts';
import { startSecrets } from '../../local/aws/secrets-manager.ts';
import { startOutbox } from '../../local/aws/ses.ts';
import {
  plainSecretNames,
  secretNames,
  setEnvironment,
  tableName,
} from '../../local/environment.ts';
import { startGateway } from '../../local/http/gateway.ts';
import { mailPages } from '../../local/http/mail-page.ts';
import { startEventConsumers } from '../../local/stream/event-consumers.ts';
import { startStream } from '../../local/stream/stream.ts';
import { routes } from '../../shared/contract/api.ts';
import type { Credential } from './tokens.ts';

type Options = {
  /** Gives each function, from its bundle. */
  load: Loader;
  /** Address of the engine, which may come later and be another's. */
  dynamodb: string;
  onError?: (error: unknown) => void;
} & Pick<Parameters<typeof startEventConsumers>[0], 'kept' | 'longestPause'>;

/** The whole service in this process as it is deployed: the gateway, the mails, and what follows events. */
export async function startDeployed({ load, dynamodb, onError, ...pace }: Options) {
  const secrets = await startSecrets(secretNames.signing, {
    plain: plainSecretNames,
  });
  const outbox = await startOutbox();
  const complaint = onError && { onError: (_: unknown, error: unknown) => onError(error) };
  const consumers = await startEventConsumers({ load, ...pace, ...complaint });
  const { queues, bus, schedules } = consumers;
  const environment = {
    dynamodb,
    secrets: secrets.endpoint,
    mail: outbox.endpoint,
    events: bus.endpoint,
    schedules: schedules.endpoint,
    queues,
  };
  setEnvironment(environment);
  enforceGrants(grants);
  const page = mailPages(outbox.mails);
  const gateway = await startGateway({ routes, load, page, ...complaint });
  process.env['BASE_URL'] = gateway.url;
  await consumers.subscribe();
  await consumers.work();
  return {
    url: gateway.url,
    queues,
    bus,
    schedules,
    rotateKeys: async () => secrets.rotate(await load('keys.rotate')),
    /** Invokes the operator's function. */
    async operate(request: object): Promise<unknown> {
      return invoke('projects.admin', await load('projects.admin'), request);
    },
    /** Makes a project with these settings. */
    async project(project_id: string, settings: object = {}): Promise<Credential> {
      const request = { action: 'create', project_id, name: project_id, ...settings };
      return (await this.operate(request)) as Credential;
    },
    /** Lets the functions of the stream follow a table. */
    async follow(endpoint: string, client: DynamoDBClient, every: Partial<Pace> = {}) {
      const handler = await load('stream.sort');
      return startStream({ endpoint, client, tableName, handler, queues, ...every });
    },
  };
}

type Pace = Pick<Parameters<typeof startStream>[0], 'interval' | 'longestPause' | 'timeout'>;
