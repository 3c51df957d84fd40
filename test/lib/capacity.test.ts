import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Stage } from 'aws-cdk-lib';
import { describe, expect, test } from 'vitest';
import { functionNames } from '../../lib/functions.ts';
import { maxPagesDomains } from '../../lib/settings.ts';
import { routes } from '../../shared/contract/api.ts';
import { production, type Resource, resourcesOfApi, synthesise, xpub } from './synthesise.ts';

/** Limits of CloudFormation, IAM and API Gateway; those of roles and routes can be raised on request. */
const limits = {
  resources: 500,
  bytes: 1_000_000,
  policy: 6_144,
  policiesOfRole: 10,
  roles: 1_000,
  routes: 300,
};
/** Our own limit, so that growth is noticed while there is time to split the stack. */
const ownLimit = 400;

const stacks = { dev: synthesise({ walletXpub: xpub }), prod: synthesise(production) };
const bytesOf = ({ stack }: typeof stacks.dev) =>
  statSync(join(Stage.of(stack)?.outdir ?? '', stack.templateFile)).size;

/** The share of the endpoints: their functions with all related resources, and their part of the API definition. */
function costOfEndpoints({ resources }: typeof stacks.dev) {
  const own = Object.entries(resources).filter(([id]) =>
    routes.some(({ name }) =>
      // The CDK writes `changeRole` and `Role` as one.
      new RegExp(`^${name.replace('.', '')}(?:Function|Role|Logs)?[0-9A-F]{8}$`).test(id),
    ),
  );
  const api = Object.values(resources).find(({ Type }) => Type === 'AWS::ApiGatewayV2::Api');
  const { paths } = (api as Resource).Properties['Body'];
  return {
    resources: own.length / routes.length,
    bytes: (JSON.stringify(own).length + JSON.stringify(paths).length) / routes.length,
  };
}

/** The number of further endpoints that fit into a stack. */
function roomIn(stack: typeof stacks.dev) {
  const cost = costOfEndpoints(stack);
  return {
    resources: Math.floor(
      (limits.resources - Object.keys(stack.resources).length) / cost.resources,
    ),
    bytes: Math.floor((limits.bytes - bytesOf(stack)) / cost.bytes),
    routes: limits.routes - (routes.length + 1),
  };
}

describe.each(['dev', 'prod'] as const)('the stack of %s', (stage) => {
  const stack = stacks[stage];
  const room = roomIn(stack);
  const more = Math.min(...Object.values(room));

  test(`has ${Object.keys(stack.resources).length} resources, at most ${ownLimit}`, () => {
    expect(
      Object.keys(stack.resources).length,
      'see "If the stack is full" in docs/guide/contributing.md',
    ).toBeLessThanOrEqual(ownLimit);
  });

  test('has as few roles as the runbook says, one for each function and two more, so that five stages fit into an account', () => {
    const roles = stack.ofType('AWS::IAM::Role').length;
    expect(roles).toBe(functionNames.length + 2);
    const runbook = readFileSync(
      join(import.meta.dirname, '../../docs/operate/runbook.md'),
      'utf8',
    );
    const [, said] =
      /\*\*IAM roles\*\*: a stage has fewer than (\d+), one for each function and two more\. An account has 1,000 by default, so five stages fit/.exec(
        runbook,
      ) ?? [];
    expect(roles).toBeLessThan(Number(said));
    expect(Math.floor(limits.roles / Number(said))).toBe(5);
  });

  test(`has ${Math.round(bytesOf(stack) / 1_000)} KB, at most 60 % of the limit of a template`, () => {
    expect(bytesOf(stack)).toBeLessThanOrEqual(limits.bytes * 0.6);
  });

  test('reads few attributes of services that refuse many calls at once', () => {
    // CloudFormation calls the service for each resource that has the attribute.
    const attributes = Object.values(stack.resources).flatMap((resource) => {
      const ids = JSON.stringify(resource).matchAll(/"Fn::GetAtt":\["(\w+)",/g);
      return [...new Set(Array.from(ids, ([, id = '']) => id))];
    });
    const services = attributes.map((id) => stack.resources[id]?.Type.split('::')[1] ?? '');
    const calls = Map.groupBy(services, (service) => service);
    for (const service of ['ApiGatewayV2', 'Logs'])
      expect(calls.get(service)?.length ?? 0, service).toBeLessThanOrEqual(2);
  });

  test(`has room for ${more} more endpoints beside its ${routes.length}`, () => {
    // A function and a role. A third resource for each endpoint would take a third of the room.
    expect(costOfEndpoints(stack).resources).toBe(2);
    expect(routes.length + more, JSON.stringify(room)).toBeGreaterThanOrEqual(200);
  });
});

describe('a stack with the maximum number of domains of pages', () => {
  const [domain] = production.pagesDomains as [(typeof production.pagesDomains)[0]];
  const { resources, stack } = synthesise({
    ...production,
    // The longest DNS name.
    pagesDomains: Array.from({ length: maxPagesDomains }, (_, i) => ({
      ...domain,
      domainName: `${`${i}`.padStart(61, 'a')}.${'b'.repeat(63)}.${'c'.repeat(63)}.example.com`,
    })),
  });

  test(`has ${Object.keys(resources).length} resources, which CloudFormation accepts`, () => {
    expect(Object.keys(resources).length).toBeLessThanOrEqual(limits.resources);
    expect(bytesOf({ stack } as typeof stacks.dev)).toBeLessThanOrEqual(limits.bytes);
  });
});

describe('an API of at least 200 endpoints', () => {
  const count = routes.length + Math.min(...Object.values(roomIn(stacks.prod)));
  const [route] = routes as unknown as [(typeof routes)[0]];
  const served = Array.from({ length: count }, (_, i) => {
    // Distinct names of the average length of ours.
    const name = (routes[i]?.name ?? `operations${i}.changeSetting`) as typeof route.name;
    return routes[i] ?? { ...route, name, path: `/operations/${i}` as const };
  });
  const resources = resourcesOfApi(served, 'identity-workspace-abcdefghijklmnop');

  test('is callable with policies that fit into one role', () => {
    const policies = Object.values(resources).filter(
      ({ Type }) => Type === 'AWS::IAM::ManagedPolicy',
    );
    expect(policies.length).toBeLessThanOrEqual(limits.policiesOfRole);
    for (const { Properties } of policies) {
      // Each ARN with the longest partition and region.
      const text = JSON.stringify(Properties['PolicyDocument']).replaceAll(
        /\{"Fn::Join":\["",\["arn:".*?":function:([\w-]+)"\]\]\}/g,
        (_, name: string) => `"arn:aws-us-gov:lambda:ap-southeast-1:123456789012:function:${name}"`,
      );
      expect(text).not.toContain('Fn::');
      expect(text.length).toBeLessThanOrEqual(limits.policy);
    }
  });
});
