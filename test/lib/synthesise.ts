import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Api } from '../../lib/api.ts';
import { readConfig } from '../../lib/config.ts';
import { functionNames } from '../../lib/functions.ts';
import { settings } from '../../lib/settings.ts';
import { addService } from '../../lib/stack.ts';
import type { routes } from '../../shared/contract/api.ts';
import { ownXpub } from '../support/own-xpub.ts';

const folder = mkdtempSync(join(tmpdir(), 'synth-'));
// A worker reuses it for several test files.
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const cdkJson = JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8'));

export type Resource = {
  Type: string;
  // oxlint-disable-next-line no-explicit-any -- a template is deep JSON, and a wrong path fails the test that takes it
  Properties: Record<string, any>;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
  DependsOn?: string[];
};

/** Avoids warnings of the synthesis. */
export const xpub = ownXpub;

/** A stage with a value for every setting. */
export const production = {
  deletionProtection: true,
  stage: 'prod',
  walletXpub: ownXpub,
  walletType: 'custodial',
  corsOrigins: ['https://app.example.com', 'http://localhost:5173'],
  domainName: 'id.example.com',
  certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0a1b2c',
  pagesDomains: [
    {
      domainName: 'auth.example.com',
      certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0a1b2d',
    },
  ],
  trustedProxy: { secretDigests: ['0'.repeat(64), '1'.repeat(64)], only: true },
  alarmEmail: 'ops@example.com',
  mailSender: 'no-reply@example.com',
  webhookConcurrency: 50,
  tracing: false,
  throttle: { rate: 300, burst: 600 },
  logRetentionDays: 365,
  tags: { 'cost-center': '4711', owner: 'platform' },
  permissionsBoundaryArn: 'arn:aws:iam::123456789012:policy/organisation/boundary',
  rolePath: '/identity/',
  kmsKeyArn: 'arn:aws:kms:eu-central-1:123456789012:key/11111111-2222-3333-4444-555555555555',
  bootstrapQualifier: 'acme',
};

/**
 * The template of the stack, the rules of cdk-nag included, under cdk.json and the settings of a stage. The bundles are
 * stand-ins: their content does not matter here. `change` may add to the stack before it is synthesised.
 */
export function synthesise(set: Settings = {}, change?: (stack: Stack) => void): Synthesised {
  return change ? synthesised(set, { change }) : known(set, { rules: false });
}

/**
 * As `synthesise`. Also checks CloudFormation's own rules, and throws for violations: that takes longer than the rest.
 */
export const validated = (set: Settings): Synthesised => known(set, { rules: true });

function known(set: Settings, how: { rules: boolean }): Synthesised {
  const key = JSON.stringify({ ...defaults, ...set, ...how });
  const found = made.get(key) ?? synthesised(set, how);
  made.set(key, found);
  return found;
}

type Settings = { stage?: string; [setting: string]: unknown };

/** Defaults of all stages in tests. */
const defaults = { deletionProtection: false };

/** Equal settings give one template, which no test changes. */
const made = new Map<string, Synthesised>();

function synthesised(
  { stage = 'dev', ...set }: Settings,
  { rules = false, change }: { rules?: boolean; change?: (stack: Stack) => void },
) {
  const config = mkdtempSync(join(folder, 'config-'));
  writeFileSync(join(config, `${stage}.json`), JSON.stringify({ ...defaults, ...set }));
  const bundles = join(folder, 'bundles');
  for (const name of functionNames) {
    mkdirSync(join(bundles, name), { recursive: true });
    writeFileSync(join(bundles, name, 'index.mjs'), `// ${name}`);
  }
  const app = new App({
    context: { ...cdkJson.context, 'aws:cdk:disable-asset-staging': true, stage },
    builtinCloudFormationValidation: rules,
    outdir: mkdtempSync(join(folder, 'out-')),
  });
  const stack = addService(app, readConfig(app.node, config), bundles);
  change?.(stack);
  app.synth();
  const template = Template.fromStack(stack).toJSON();
  const resources: Record<string, Resource> = template['Resources'];
  const functionId = (name: string): string => {
    const found = Object.entries(resources).filter(
      ([, { Type, Properties }]) =>
        Type === 'AWS::Lambda::Function' && Properties['Description'] === name,
    );
    if (!found[0] || found.length > 1) throw new Error(`There are ${found.length} of ${name}.`);
    return found[0][0];
  };
  return {
    template,
    stack,
    resources,
    outputs: template['Outputs'] as Record<string, { Value: unknown }>,
    ofType: (type: string): Resource[] =>
      Object.values(resources).filter((resource) => resource.Type === type),
    /** The Lambda function for one of our functions, found by its description. */
    functionOf: (name: string): Resource => resources[functionId(name)] as Resource,
    functionId,
  };
}

export type Synthesised = ReturnType<typeof synthesised>;

/** The resources of a stack with nothing but an API of these routes. */
export function resourcesOfApi(served: typeof routes, name = 'Test'): Record<string, Resource> {
  const stack = new Stack(new App({ builtinCloudFormationValidation: false }), name);
  const config = { stage: 'dev', ...settings.parse({ deletionProtection: false }) };
  new Api(stack, 'Http', config, served);
  return Template.fromStack(stack).toJSON()['Resources'];
}

/** The logical id of the only resource of a type. */
export function idOf({ resources }: Synthesised, type: string): string {
  const ids = Object.keys(resources).filter((id) => resources[id]?.Type === type);
  if (!ids[0] || ids.length > 1) throw new Error(`There are ${ids.length} of ${type}.`);
  return ids[0];
}

/** AWS's own address of the API. */
export const ownAddress = (from: Synthesised) => ({
  'Fn::Join': [
    '',
    [
      ...['https://', { Ref: idOf(from, 'AWS::ApiGatewayV2::Api') }, '.execute-api.'],
      ...[{ Ref: 'AWS::Region' }, '.', { Ref: 'AWS::URLSuffix' }],
    ],
  ],
});

/** The logical id of the dead-letter queue: the only queue that is not FIFO. */
export function deadLettersOf({ resources }: Synthesised): string {
  const ids = Object.entries(resources).flatMap(([id, { Type, Properties }]) =>
    Type === 'AWS::SQS::Queue' && !Properties['FifoQueue'] ? [id] : [],
  );
  if (!ids[0] || ids.length > 1) throw new Error(`There are ${ids.length} queues of dead letters.`);
  return ids[0];
}

/** The only logical id that matches. */
export function idLike({ resources }: Synthesised, pattern: RegExp): string {
  const ids = Object.keys(resources).filter((id) => pattern.test(id));
  if (!ids[0] || ids.length > 1) throw new Error(`There are ${ids.length} ids like ${pattern}.`);
  return ids[0];
}

/** A reference to an attribute in a template, and the logical id in it. */
export const arn = (id: string, attribute = 'Arn') => ({ 'Fn::GetAtt': [id, attribute] });
export const idIn = (reference: ReturnType<typeof arn>) => reference['Fn::GetAtt'][0] as string;

export function sorted<T>(list: readonly T[]): T[] {
  return [...list].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
