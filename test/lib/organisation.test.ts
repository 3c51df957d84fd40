import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { idOf, production, type Resource, sorted, synthesise, xpub } from './synthesise.ts';

const dev = synthesise({ walletXpub: xpub });
const prod = synthesise(production);
const { tags, permissionsBoundaryArn, rolePath, kmsKeyArn } = production;

/** The only resource of a type. */
const only = (stack: typeof dev, type: string) => stack.resources[idOf(stack, type)] as Resource;
const tableOf = (stack: typeof dev) => only(stack, 'AWS::DynamoDB::GlobalTable').Properties;

test('the tags are those of the stack, of the table and of the API, which do not get them from the stack', () => {
  expect(prod.stack.tags.tagValues()).toStrictEqual(tags);
  expect(tableOf(prod)['Replicas'][0].Tags).toStrictEqual(
    Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
  );
  const { Body, ...others } = only(prod, 'AWS::ApiGatewayV2::Api').Properties;
  expect(Body.tags).toStrictEqual(
    Object.entries(tags).map(([name, value]) => ({ name, 'x-amazon-apigateway-tag-value': value })),
  );
  // CloudFormation refuses `Tags` beside a definition.
  expect(others).toStrictEqual({});
});

test('every role has the boundary, and every role and policy the path', () => {
  const [roles, policies] = [prod.ofType('AWS::IAM::Role'), prod.ofType('AWS::IAM::ManagedPolicy')];
  for (const { Properties } of roles)
    expect(Properties).toMatchObject({ PermissionsBoundary: permissionsBoundaryArn });
  for (const { Properties } of [...roles, ...policies])
    expect(Properties).toMatchObject({ Path: rolePath });
  expect(policies.length).toBeGreaterThan(0);
});

test('table, secrets, logs and the topic have the key, and no role a right on it', () => {
  expect(tableOf(prod)).toMatchObject({
    SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
    Replicas: [{ SSESpecification: { KMSMasterKeyId: kmsKeyArn } }],
  });
  const encrypted = [
    ...prod.ofType('AWS::SecretsManager::Secret'),
    ...prod.ofType('AWS::Logs::LogGroup'),
  ];
  for (const { Properties } of encrypted) expect(Properties).toMatchObject({ KmsKeyId: kmsKeyArn });
  expect(encrypted.length).toBeGreaterThan(10);
  expect(only(prod, 'AWS::SNS::Topic').Properties).toStrictEqual({ KmsMasterKeyId: kmsKeyArn });
  expect(JSON.stringify(prod.ofType('AWS::IAM::Role'))).not.toContain('kms');
});

test('the deployment uses the resources of the own bootstrap', () => {
  const versionOf = ({ template }: typeof dev) => template['Parameters'].BootstrapVersion.Default;
  expect(versionOf(prod)).toBe('/cdk-bootstrap/acme/version');
  expect(versionOf(dev)).toBe('/cdk-bootstrap/hnb659fds/version');
});

test('a stage without these settings has nothing of them', () => {
  expect(dev.stack.tags.tagValues()).toStrictEqual({});
  expect(JSON.stringify(dev.template)).not.toMatch(
    /"Tags"|x-amazon-apigateway-tag|PermissionsBoundary|"Path":"\/[^"]|Kms|KMSMasterKeyId/,
  );
});

describe('deploy.md', () => {
  const traced = synthesise({ ...production, tracing: true });
  const text = readFileSync(new URL('../../docs/operate/deploy.md', import.meta.url), 'utf8');
  /** The names of services in the sentence between two texts. */
  const servicesIn = (start: string, end: string) => {
    const [, rest = ''] = text.split(start);
    const named = (rest.split(end)[0] ?? '').matchAll(/`([a-z]\w+)`/g);
    return sorted(Array.from(named, ([, name]) => name));
  };
  const policies = [
    ...traced.ofType('AWS::IAM::Role'),
    ...traced.ofType('AWS::IAM::ManagedPolicy'),
  ];
  const used = Array.from(
    JSON.stringify(
      policies.map(({ Properties }) => [Properties['Policies'], Properties['PolicyDocument']]),
    ).matchAll(/"([a-z]\w*):[A-Z]\w+"/g),
    ([, service]) => service,
  );

  test('names each service that the functions use, for the boundary', () => {
    expect(servicesIn('The boundary must allow', 'because')).toEqual(
      sorted([...new Set([...used, 'kms'])]),
    );
  });

  test('names each service that a deployment uses, for service control policies', () => {
    const created = Object.values(traced.resources).flatMap(
      ({ Type }) => /^AWS::(\w+?)(?:V2)?::/.exec(Type)?.[1]?.toLowerCase() ?? [],
    );
    // Of the deployment itself, with its own key.
    const deploying = ['cloudformation', 'kms', 's3', 'ssm', 'sts'];
    expect(servicesIn('must leave the stack', 'No resource')).toEqual(
      sorted([...new Set([...created, ...used, ...deploying])]),
    );
  });

  test('has a policy for the key that covers each log group', () => {
    const [, json = ''] = /```json\n([\s\S]*?)```/.exec(text) ?? [];
    const { Statement } = JSON.parse(json) as { Statement: { Condition?: { ArnLike?: object } }[] };
    const [patterns = []] = Statement.flatMap(({ Condition }) =>
      Object.values(Condition?.ArnLike ?? {}),
    ) as string[][];
    const matching = patterns.map((each) => {
      const [, name = ''] = each.replace('STACK', prod.stack.stackName).split(':log-group:');
      return new RegExp(`^${name.replace('*', '.*')}$`);
    });
    for (const { Properties } of prod.ofType('AWS::Logs::LogGroup')) {
      const name = JSON.stringify(Properties['LogGroupName'])
        .replace('{"Fn::Join":["",["', '')
        .replace(/",\{"Ref":"AWS::StackName"\}\]\]\}/, prod.stack.stackName)
        .replaceAll('"', '');
      expect(
        matching.some((each) => each.test(name)),
        name,
      ).toBe(true);
    }
  });
});
