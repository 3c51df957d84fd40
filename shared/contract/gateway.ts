import { fallback } from './fallback.ts';
import { type NamedRoute, pathsOf } from './paths.ts';
import type { RouteSpec } from './route.ts';

/** `x-amazon-apigateway-integration`: how API Gateway calls the function of a route. */
export type Integration = {
  type: 'aws_proxy';
  httpMethod: 'POST';
  payloadFormatVersion: '2.0';
  uri: string;
  credentials: string;
};

/** `x-amazon-apigateway-cors`. */
export type Cors = {
  allowOrigins: readonly string[];
  allowMethods: readonly string[];
  allowHeaders: readonly string[];
  exposeHeaders: readonly string[];
  /** Seconds. */
  maxAge: number;
};

type Options = {
  /** API Gateway uses it as the name of the API. */
  title: string;
  /** Whether the API is reachable only at its own domain. */
  disableExecuteApiEndpoint: boolean;
  /** Undefined: no web page of another origin may call the API. */
  cors: Cors | undefined;
  /** Tags of the API. Beside a definition, CloudFormation refuses the property `Tags` and ignores those of the stack. */
  tags: Readonly<Record<string, string>>;
  integrationOf: (name: NamedRoute['name'] | typeof fallback.name) => Integration;
};

/**
 * The OpenAPI document from which API Gateway creates the HTTP API. API Gateway reads OpenAPI 3.0 and uses only paths,
 * methods and extensions, so the schemas are only in the document for readers (openapi/document.ts).
 */
export function gatewayDefinition(routes: readonly NamedRoute[], options: Options) {
  const { title, disableExecuteApiEndpoint, cors, tags, integrationOf } = options;
  const tagged = Object.entries(tags).map(([name, value]) => ({
    name,
    'x-amazon-apigateway-tag-value': value,
  }));
  return {
    openapi: '3.0.1',
    // Fixed: a new version would reimport the whole definition although no route has changed.
    info: { title, version: '1' },
    paths: {
      ...pathsOf(routes, (route) => ({
        operationId: route.name,
        ...(route.params && { parameters: pathParameters(route.params) }),
        ...answeredBy(integrationOf(route.name)),
      })),
      [fallback.path]: {
        'x-amazon-apigateway-any-method': {
          operationId: fallback.name,
          isDefaultRoute: true,
          ...answeredBy(integrationOf(fallback.name)),
        },
      },
    },
    'x-amazon-apigateway-importexport-version': '1.0',
    'x-amazon-apigateway-endpoint-configuration': { disableExecuteApiEndpoint },
    ...(cors && { 'x-amazon-apigateway-cors': cors }),
    ...(tagged.length > 0 && { tags: tagged }),
  };
}

const answeredBy = (integration: Integration) => ({
  responses: { default: { description: 'The response of the function.' } },
  'x-amazon-apigateway-integration': integration,
});

/** OpenAPI requires that every placeholder of a path is declared. */
const pathParameters = (params: NonNullable<RouteSpec['params']>) =>
  Object.keys(params.shape).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
