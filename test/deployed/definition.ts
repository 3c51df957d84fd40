/**
 * The emulator's CloudFormation does not support the `Body` of AWS::ApiGatewayV2::Api, the OpenAPI definition from
 * which API Gateway creates routes and integrations. So the deployed copy of the template has:
 *
 * - no `Body`, which the emulator would ignore;
 * - the `Name` that AWS takes from the title of the definition, and the `ProtocolType` that the definition implies;
 * - the address that the emulator gives the API, in place of that of AWS.
 *
 * After every deployment, the emulator's API creates the routes from the removed definition, like a reimport in AWS:
 * afterwards there are exactly the routes of the definition. CORS has no origin here, and the API has its own address,
 * so the definition's other extensions are not needed.
 */
import {
  ApiGatewayV2Client,
  CreateIntegrationCommand,
  CreateRouteCommand,
  DeleteIntegrationCommand,
  DeleteRouteCommand,
  GetRoutesCommand,
} from '@aws-sdk/client-apigatewayv2';

type Operation = { 'x-amazon-apigateway-integration': Record<string, unknown> };
export type Definition = {
  info: { title: string };
  paths: Record<string, Record<string, Operation>>;
};
type Resource = { Type: string; Properties?: Record<string, unknown> };
type Resources = Record<string, Resource>;

/** Removes the definition from a template, and AWS's address of the API. */
export function withoutDefinition<T extends { Resources: Resources }>(
  original: T,
): { template: T; definition: Definition } {
  const found = Object.entries(original.Resources).find(
    ([, { Type }]) => Type === 'AWS::ApiGatewayV2::Api',
  );
  if (!found) throw new Error('The template has no API.');
  const [id, api] = found;
  const { Body, ...others } = api.Properties ?? {};
  const definition = Body as Definition;
  const Properties = { ...others, Name: definition.info.title, ProtocolType: 'HTTP' };
  const Resources = { ...original.Resources, [id]: { ...api, Properties } };
  const address = JSON.stringify({
    'Fn::Join': [
      '',
      [
        ...['https://', { Ref: id }, '.execute-api.'],
        ...[{ Ref: 'AWS::Region' }, '.', { Ref: 'AWS::URLSuffix' }],
      ],
    ],
  });
  const text = JSON.stringify({ ...original, Resources });
  if (!text.includes(address))
    throw new Error('The template does not have the address of its API.');
  const own = JSON.stringify({ 'Fn::GetAtt': [id, 'ApiEndpoint'] });
  return { template: JSON.parse(text.replaceAll(address, own)) as T, definition };
}

const pseudo: Record<string, string> = {
  'AWS::Partition': 'aws',
  'AWS::Region': 'us-east-1',
  'AWS::AccountId': '000000000000',
};

/** A value of the template as CloudFormation resolves it; `roles` are the names of the roles by logical id. */
function resolve(value: unknown, roles: Record<string, string>): string {
  if (typeof value === 'string') return value;
  const { 'Fn::Sub': text, 'Fn::GetAtt': attribute } = value as Record<string, unknown>;
  if (typeof text === 'string')
    return text.replaceAll(/\$\{([\w:]+)\}/g, (whole, name: string) => pseudo[name] ?? whole);
  const [id, name] = (attribute ?? []) as string[];
  const role = roles[id ?? ''];
  if (role === undefined || name !== 'Arn')
    throw new Error(`${JSON.stringify(value)} is not known here.`);
  return `arn:aws:iam::000000000000:role/${role}`;
}

const gateway = new ApiGatewayV2Client();

/** Creates the routes of a definition in an API, and deletes all others. */
export async function importDefinition(
  ApiId: string,
  { paths }: Definition,
  roles: Record<string, string>,
): Promise<void> {
  const { Items: before = [] } = await gateway.send(new GetRoutesCommand({ ApiId }));
  for (const { RouteId, Target = '' } of before) {
    await gateway.send(new DeleteRouteCommand({ ApiId, RouteId }));
    const IntegrationId = Target.slice('integrations/'.length);
    await gateway.send(new DeleteIntegrationCommand({ ApiId, IntegrationId }));
  }
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) {
      const { uri, credentials, payloadFormatVersion, httpMethod } =
        operation['x-amazon-apigateway-integration'];
      const { IntegrationId } = await gateway.send(
        new CreateIntegrationCommand({
          ApiId,
          IntegrationType: 'AWS_PROXY',
          IntegrationMethod: String(httpMethod),
          IntegrationUri: resolve(uri, roles),
          CredentialsArn: resolve(credentials, roles),
          PayloadFormatVersion: String(payloadFormatVersion),
        }),
      );
      const RouteKey = path === '/$default' ? '$default' : `${method.toUpperCase()} ${path}`;
      const Target = `integrations/${IntegrationId}`;
      await gateway.send(new CreateRouteCommand({ ApiId, RouteKey, Target }));
    }
}
