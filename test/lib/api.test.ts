import { describe, expect, test } from 'vitest';
import { routes } from '../../shared/contract/api.ts';
import {
  type arn,
  idIn,
  idOf,
  ownAddress,
  production,
  type Resource,
  type Synthesised,
  sorted,
  synthesise,
  xpub,
} from './synthesise.ts';

type Operation = {
  operationId: string;
  parameters?: { name: string }[];
  'x-amazon-apigateway-integration': Record<string, unknown>;
};

const dev = synthesise({ walletXpub: xpub });
const prod = synthesise(production);

/** The OpenAPI definition of the API, and its operations by their route keys. */
function definitionOf(from: Synthesised) {
  const { Body } = (from.ofType('AWS::ApiGatewayV2::Api')[0] as Resource).Properties;
  const paths = Object.entries(Body.paths as Record<string, Record<string, Operation>>);
  const operations = paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const key = path === '/$default' ? '$default' : `${method.toUpperCase()} ${path}`;
      return { key, method, operation, ...operation['x-amazon-apigateway-integration'] };
    }),
  );
  return { body: Body, operations };
}

/** The function names in the ARNs of a value. */
const namesIn = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(/function:([\w-]+)/g)].map(([, name = '']) => name);

/** The operation of a function, by function name. */
const operationOf = ({ ofType }: Synthesised, lambda = ''): string | undefined =>
  ofType('AWS::Lambda::Function').find(({ Properties }) => Properties['FunctionName'] === lambda)
    ?.Properties['Description'];

describe('the API', () => {
  test('routes every route of the contract to its function, and any other request to the fallback', () => {
    const deployed = definitionOf(dev).operations.map(({ key, operation, ...integration }) => {
      const [lambda] = namesIn(operation);
      return [key, operation.operationId, operationOf(dev, lambda), integration];
    });
    const integration = (method: string) => ({
      ...{ method, type: 'aws_proxy', httpMethod: 'POST', payloadFormatVersion: '2.0' },
      ...{ uri: expect.anything(), credentials: expect.anything() },
    });
    expect(sorted(deployed)).toEqual(
      sorted([
        ...routes.map(({ method, path, name }) => [
          ...[`${method} ${path}`, name, name],
          integration(method.toLowerCase()),
        ]),
        [
          ...['$default', 'fallback.notFound', 'fallback.notFound'],
          integration('x-amazon-apigateway-any-method'),
        ],
      ]),
    );
  });

  test('names a function by the ARN with which API Gateway invokes it', () => {
    const { operations } = definitionOf(dev);
    const { operation } = operations.find(({ key }) => key === 'GET /users/me')!;
    const { uri } = operation['x-amazon-apigateway-integration'];
    const text = (uri as { 'Fn::Sub': string })['Fn::Sub'];
    expect(text.replaceAll(/\$\{AWS::\w+\}/g, '*')).toBe(
      'arn:*:apigateway:*:lambda:path/2015-03-31/functions/arn:*:lambda:*:*:function:identity-workspace-dev-users-get-me/invocations',
    );
  });

  test('is one OpenAPI 3.0 definition, without other resources for routes', () => {
    expect(dev.ofType('AWS::ApiGatewayV2::Api')[0]?.Properties).toStrictEqual({
      Body: expect.objectContaining({
        openapi: '3.0.1',
        info: { title: 'identity-workspace-dev', version: '1' },
      }),
    });
    for (const type of ['Route', 'Integration', 'Authorizer'])
      expect(dev.ofType(`AWS::ApiGatewayV2::${type}`)).toStrictEqual([]);
    // OpenAPI requires that a placeholder is declared.
    for (const { key, operation } of definitionOf(dev).operations)
      expect(operation.parameters?.map(({ name }) => name) ?? [], key).toEqual(
        [...key.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      );
  });

  test('throttles each route as configured, after the routes are created', () => {
    const stageOf = ({ ofType }: Synthesised) =>
      ofType('AWS::ApiGatewayV2::Stage')[0]?.Properties ?? {};
    const limitsOf = (from: Synthesised) => stageOf(from)['DefaultRouteSettings'];
    expect(limitsOf(dev)).toEqual({ ThrottlingRateLimit: 5000, ThrottlingBurstLimit: 5000 });
    expect(limitsOf(prod)).toEqual({ ThrottlingRateLimit: 300, ThrottlingBurstLimit: 600 });
    // The routes are created with the API, and the stage refers to the API.
    expect(stageOf(dev)['ApiId']).toEqual({ Ref: idOf(dev, 'AWS::ApiGatewayV2::Api') });
  });

  test('refers to no function, except with a custom domain, where it depends on all functions', () => {
    const id = idOf(dev, 'AWS::ApiGatewayV2::Api');
    const lambdas = ({ resources }: Synthesised) =>
      Object.keys(resources).filter((each) => resources[each]?.Type === 'AWS::Lambda::Function');
    const text = JSON.stringify(dev.resources[id]);
    for (const lambda of lambdas(dev)) expect(text).not.toContain(`"${lambda}"`);
    expect(dev.functionOf('users.get').Properties['Environment'].Variables['BASE_URL']).toEqual(
      ownAddress(dev),
    );
    expect(prod.resources[id]?.DependsOn).toEqual(expect.arrayContaining(lambdas(prod)));
  });

  describe('calls its functions', () => {
    const { operations } = definitionOf(dev);
    const credentials = operations.map(
      ({ operation }) =>
        operation['x-amazon-apigateway-integration']['credentials'] as ReturnType<typeof arn>,
    );
    const role = dev.resources[idIn(credentials[0]!)]?.Properties ?? {};
    const attached: { Ref: string }[] = role['ManagedPolicyArns'];
    const policies = attached.map(({ Ref }) => dev.resources[Ref]?.Properties['PolicyDocument']);

    test('with one role, which only API Gateway can assume', () => {
      expect(credentials).toStrictEqual(operations.map(() => credentials[0]));
      expect(role['AssumeRolePolicyDocument'].Statement).toStrictEqual([
        {
          Effect: 'Allow',
          Principal: { Service: 'apigateway.amazonaws.com' },
          Action: 'sts:AssumeRole',
        },
      ]);
      const elsewhere = JSON.stringify(dev.ofType('AWS::Lambda::Permission'));
      expect(elsewhere).not.toContain('apigateway');
    });

    test('for each route, and no other function', () => {
      expect(role).not.toHaveProperty('Policies');
      // A policy can also name the roles that it is attached to.
      const attaching = dev
        .ofType('AWS::IAM::ManagedPolicy')
        .map((policy) => policy.Properties['Roles']);
      expect(JSON.stringify(attaching)).not.toContain(idIn(credentials[0]!));
      for (const { Statement } of policies)
        expect(Statement).toStrictEqual([
          { Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: expect.anything() },
        ]);
      expect(JSON.stringify(policies)).not.toContain('*');
      expect(sorted(policies.flatMap(namesIn))).toStrictEqual(
        sorted(operations.flatMap(({ operation }) => namesIn(operation))),
      );
    });

    test('with policies within the size limit of IAM in every region', () => {
      const longest: Record<string, string> = {
        'AWS::Partition': 'aws-us-gov',
        'AWS::Region': 'ap-southeast-1',
        'AWS::AccountId': '123456789012',
      };
      for (const policy of policies) {
        const resolved = JSON.stringify(policy)
          .replaceAll(/\{"Ref":"([\w:]+)"\}/g, (_, name: string) => `"${longest[name]}"`)
          .replaceAll(/\{"Fn::Join":\["",(\[[^\]]+\])\]\}/g, (_, parts: string) =>
            JSON.stringify((JSON.parse(parts) as string[]).join('')),
          );
        expect(resolved).not.toMatch(/Fn::|Ref|undefined/);
        expect(resolved.length).toBeLessThanOrEqual(6144);
      }
      expect(policies.length).toBeLessThanOrEqual(10);
    });
  });

  test('logs each request as JSON, without paths and headers', () => {
    const format = dev.ofType('AWS::ApiGatewayV2::Stage')[0]?.Properties['AccessLogSettings']
      .Format;
    expect(JSON.parse(format)).toMatchObject({ route: '$context.routeKey' });
    expect(format).not.toMatch(/\$context\.(?:path|authorizer)|header/);
  });

  test('allows no other origin by default, and only the configured ones', () => {
    const cors = (from: Synthesised) => definitionOf(from).body['x-amazon-apigateway-cors'];
    expect(cors(dev)).toBeUndefined();
    const usual = ['link', 'location', 'retry-after', 'www-authenticate', 'x-request-id'];
    expect(cors(prod)).toStrictEqual({
      allowOrigins: ['https://app.example.com', 'http://localhost:5173'],
      allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      allowHeaders: [
        'authorization',
        'content-type',
        'idempotency-key',
        'if-match',
        'if-none-match',
      ],
      exposeHeaders: ['etag', 'idempotency-replayed', ...usual],
      maxAge: 3600,
    });
  });

  test('is reachable only at its custom domain, if it has one', () => {
    const endpoint = (from: Synthesised) =>
      definitionOf(from).body['x-amazon-apigateway-endpoint-configuration'];
    expect(endpoint(dev)).toEqual({ disableExecuteApiEndpoint: false });
    expect(endpoint(prod)).toEqual({ disableExecuteApiEndpoint: true });
    expect(dev.ofType('AWS::ApiGatewayV2::ApiMapping')).toHaveLength(0);
    expect(prod.functionOf('sessions.create').Properties['Environment'].Variables.BASE_URL).toBe(
      'https://id.example.com',
    );
    expect(prod.outputs['BaseUrl']?.Value).toBe('https://id.example.com');
    expect(prod.outputs).toHaveProperty('DomainTarget');
  });

  test('is also reachable at the domains of hosted pages, each with its certificate and target', () => {
    const domains = prod.ofType('AWS::ApiGatewayV2::DomainName');
    expect(
      domains.map(({ Properties: { DomainName, DomainNameConfigurations } }) => [
        DomainName,
        DomainNameConfigurations[0].CertificateArn.split('/').at(-1),
      ]),
    ).toEqual([
      ['id.example.com', '0a1b2c'],
      ['auth.example.com', '0a1b2d'],
    ]);
    const mappings = prod.ofType('AWS::ApiGatewayV2::ApiMapping');
    expect(mappings).toHaveLength(2);
    expect(
      new Set(mappings.map(({ Properties }) => JSON.stringify(Properties['ApiId']))).size,
    ).toBe(1);
    expect(JSON.stringify(prod.outputs['PagesDomainTargets']?.Value)).toMatch(
      /"auth\.example\.com=".*"RegionalDomainName"/,
    );
    // API Gateway creates one domain in 30 seconds for an account, and refuses others (429).
    const [first] = Object.entries(prod.resources).find(([, each]) => each === domains[0]) ?? [];
    expect(domains.map(({ DependsOn }) => DependsOn)).toEqual([undefined, [first]]);
    expect(dev.outputs).not.toHaveProperty('PagesDomainTargets');
  });
});
