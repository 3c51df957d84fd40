import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Code, Function as Lambda, Runtime } from 'aws-cdk-lib/aws-lambda';
import { describe, expect, test } from 'vitest';
import { Api } from '../../lib/api.ts';
import { settings } from '../../lib/config.ts';
import { routes } from '../../shared/contract/api.ts';
import deployedRoutes from './deployed-routes.json' with { type: 'json' };
import type { Resource } from './synthesise.ts';

describe('a route that is added, removed or renamed', () => {
  type Served = typeof routes;
  /** What CloudFormation holds of the API: the stage, and each route with its key and the function behind it. */
  function deploy(served: Served) {
    const stack = new Stack(new App(), 'Test');
    const api = new Api(stack, 'Http', {
      stage: 'dev',
      ...settings.parse({ deletionProtection: false }),
    });
    const functions = new Map<string, Lambda>();
    api.route((name) => {
      const runtime = Runtime.NODEJS_24_X;
      const made =
        functions.get(name) ??
        new Lambda(stack, name, { runtime, handler: 'h', code: Code.fromInline(name) });
      functions.set(name, made);
      return made;
    }, served);
    const resources: Record<string, Resource> = Template.fromStack(stack).toJSON()['Resources'];
    const ofType = (type: string) =>
      Object.entries(resources).filter(([, { Type }]) => Type === `AWS::ApiGatewayV2::${type}`);
    return {
      stage: ofType('Stage').map(([id, { Properties }]) => [id, Properties]),
      keys: Object.fromEntries(
        ofType('Route').map(([id, { Properties }]) => [id, Properties['RouteKey']]),
      ),
    };
  }
  const [one, two, three] = routes as unknown as [Served[0], Served[0], Served[0]];
  const before = deploy([one, two]);

  test.each<[string, Served]>([
    ['added', [one, two, three]],
    ['removed', [one]],
    ['renamed', [one, { ...two, path: '/renamed' }]],
    ['replaced by another', [one, three]],
  ])('%s: the stage stays as it is, for it names no route', (_, served) => {
    const { stage } = deploy(served);
    expect(stage).toStrictEqual(before.stage);
    // API Gateway keeps the settings of a route that is gone, and then refuses every change of the stage.
    expect(JSON.stringify(stage)).not.toContain('"RouteSettings"');
  });

  test('added or removed: the other routes are not touched', () => {
    expect(deploy([one, two, three]).keys).toMatchObject(before.keys);
    expect(before.keys).toMatchObject(deploy([one]).keys);
  });

  test('at another path: its key changes in place', () => {
    const { keys } = deploy([one, { ...two, path: '/renamed' }]);
    expect(Object.keys(keys)).toStrictEqual(Object.keys(before.keys));
    expect(Object.values(keys)).toContain(`${two.method} /renamed`);
  });

  test('under another name: it is the same route, where it says its first name', () => {
    const name = three.name;
    expect(deploy([one, { ...two, name, deployedAs: two.name }]).keys).toStrictEqual(before.keys);
    // Otherwise two routes would have one key for a moment, which API Gateway refuses.
    expect(deploy([one, { ...two, name }]).keys).not.toStrictEqual(before.keys);
  });

  test('keeps the name that it was deployed under', () => {
    const deployed: Record<string, string> = deployedRoutes;
    const renamed = routes
      .map(
        ({ method, path, name, deployedAs = name }) => [`${method} ${path}`, deployedAs] as const,
      )
      .filter(([key, name]) => deployed[key] !== undefined && deployed[key] !== name);
    expect(renamed).toStrictEqual([]);
  });
});
