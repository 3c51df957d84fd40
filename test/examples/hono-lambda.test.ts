/** @module-tag alone */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { App } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { afterAll, expect, test } from 'vitest';
import { ExampleStack } from '../../examples/hono-lambda/stack.ts';
import { serve } from '../support/serve.ts';
import { startWorld } from '../support/world.ts';

const world = await startWorld();
const { project_id: projectId, secret } = world.project;

// Inside the project, where Node finds the SDK, which Lambda's runtime contains.
const dist = join(import.meta.dirname, '../../dist');
await mkdir(dist, { recursive: true });
const outdir = await mkdtemp(join(dist, 'hono-lambda-'));
afterAll(() => rm(outdir, { recursive: true, force: true }));
// CDK's own rules only warn here, and take longer than the rest.
const app = new App({ outdir, builtinCloudFormationValidation: false });
const stack = new ExampleStack(app, 'example', {
  serviceUrl: 'https://id.example.com',
  projectId: 'demo',
});
const template = Template.fromStack(stack);

/** Secrets Manager, as far as the example uses it. */
const secrets = await serve((_request, response) => {
  response.setHeader('content-type', 'application/x-amz-json-1.1');
  response.end(JSON.stringify({ SecretString: secret }));
});

/** The bundle of a function, as it would be deployed. */
function bundleOf(name: string): string {
  const functions = Object.entries(template.findResources('AWS::Lambda::Function'));
  const found = functions.find(([id]) => id.startsWith(name))?.[1]['Properties'] as {
    Code: { S3Key: string };
  };
  const { S3Key } = found.Code;
  return join(outdir, `asset.${S3Key.replace('.zip', '')}`, 'index.mjs');
}

type Answer = { statusCode: number; headers: Record<string, string>; body: string };

/** Runs a function in a separate process, with its deployed environment, on one event. */
async function invoke(name: string, event: object, given: object = {}): Promise<Answer> {
  const script = `const { handler } = await import(${JSON.stringify(bundleOf(name))});
process.stdout.write(JSON.stringify(await handler(${JSON.stringify(event)}, {})));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      SERVICE_URL: world.url,
      PROJECT_ID: projectId,
      SECRET_ID: 'identity/project-secret',
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets,
      ...given,
    },
  });
  return JSON.parse(await text(child.stdout)) as Answer;
}

/** An event of an HTTP API; with an authorizer's claims if the route has one. */
const eventOf = (method: string, path: string, authorization?: string, claims?: object) => ({
  version: '2.0',
  routeKey: '$default',
  rawPath: path,
  rawQueryString: '',
  headers: { host: 'api.example.com', ...(authorization && { authorization }) },
  requestContext: {
    http: { method, path, sourceIp: '192.0.2.1', protocol: 'HTTP/1.1', userAgent: 'test' },
    ...(claims && { authorizer: { jwt: { claims, scopes: null } } }),
  },
  isBase64Encoded: false,
});

test('every route has the JWT authorizer of the project', () => {
  template.hasResourceProperties('AWS::ApiGatewayV2::Authorizer', {
    AuthorizerType: 'JWT',
    IdentitySource: ['$request.header.Authorization'],
    JwtConfiguration: { Audience: ['demo'], Issuer: 'https://id.example.com' },
  });
  const routes = template.findResources('AWS::ApiGatewayV2::Route');
  expect(Object.keys(routes)).toHaveLength(2);
  template.allResourcesProperties('AWS::ApiGatewayV2::Route', {
    AuthorizationType: 'JWT',
    AuthorizerId: Match.anyValue(),
  });
});

test('Hono returns the claims that the gateway verified', async () => {
  const claims = { sub: 'uid-1', email: 'ada@example.com' };
  const { statusCode, body } = await invoke('api', eventOf('GET', '/me', 'Bearer x', claims));
  expect([statusCode, JSON.parse(body)]).toEqual([200, { uid: 'uid-1', email: 'ada@example.com' }]);
});

test('a payment needs a session that has not ended', async () => {
  const ada = await world.user();
  const pay = () => invoke('api', eventOf('POST', '/payments', ada.bearer));
  expect(await pay()).toMatchObject({
    statusCode: 201,
    body: JSON.stringify({ paid_by: ada.uid }),
  });
  await world.as(ada).sessions.signOut();
  const { statusCode, headers } = await pay();
  expect([statusCode, headers['www-authenticate']]).toEqual([
    401,
    expect.stringContaining('invalid_token'),
  ]);
});

test("503 while the project's secret cannot be read", async () => {
  const ada = await world.user();
  const { statusCode, body } = await invoke('api', eventOf('POST', '/payments', ada.bearer), {
    AWS_ENDPOINT_URL_SECRETS_MANAGER: 'http://127.0.0.1:1',
  });
  expect([statusCode, JSON.parse(body)]).toMatchObject([503, { code: 'temporarily_unavailable' }]);
});

test('the resource of a workspace is for its members only', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const stranger = await world.user();
  const path = `/workspaces/${workspace_id}/secret`;
  expect(await invoke('api', eventOf('GET', path, owner.bearer))).toMatchObject({
    statusCode: 200,
    body: JSON.stringify({ role: 'admin' }),
  });
  expect((await invoke('api', eventOf('GET', path, stranger.bearer))).statusCode).toBe(404);
});

test('a function without a framework verifies the token itself', async () => {
  const ada = await world.user();
  expect(await invoke('report', eventOf('GET', '/report', ada.bearer))).toMatchObject({
    statusCode: 200,
    body: JSON.stringify({ report_of: ada.uid }),
  });
  expect((await invoke('report', eventOf('GET', '/report'))).statusCode).toBe(401);
});
