import { describe, expect, test } from 'vitest';
import { routes } from '../../shared/contract/api.ts';
import deployedRoutes from './deployed-routes.json' with { type: 'json' };
import { resourcesOfApi } from './synthesise.ts';

describe('a route that is added, removed or renamed', () => {
  type Served = typeof routes;
  /** CloudFormation's resources of the API, by logical id. */
  function deploy(served: Served) {
    const resources = resourcesOfApi(served);
    const ofType = (type: string) =>
      Object.entries(resources).filter(([, { Type }]) => Type === type);
    const [[id, api] = ['', undefined]] = ofType('AWS::ApiGatewayV2::Api');
    return {
      id,
      stage: ofType('AWS::ApiGatewayV2::Stage'),
      paths: api?.Properties['Body'].paths as Record<string, object>,
      policies: ofType('AWS::IAM::ManagedPolicy'),
    };
  }
  const [one, two, three] = routes as unknown as [Served[0], Served[0], Served[0]];
  const before = deploy([one, two]);

  test.each<[string, Served]>([
    ['added', [one, two, three]],
    ['removed', [one]],
    ['renamed', [one, { ...two, path: '/renamed' }]],
    ['replaced by another', [one, three]],
  ])('%s: changes the API in place, and not its stage', (_, served) => {
    const { id, stage } = deploy(served);
    expect(id).toBe(before.id);
    expect(stage).toStrictEqual(before.stage);
    // API Gateway keeps the settings of a removed route, and then rejects every change of the stage.
    expect(JSON.stringify(stage)).not.toContain('"RouteSettings"');
  });

  test('added or removed: leaves the other routes unchanged', () => {
    expect(deploy([one, two, three]).paths).toMatchObject(before.paths);
    expect(before.paths).toMatchObject(deploy([one]).paths);
  });

  test('replaced by another with the same path: replaces its definition, without a duplicate key', () => {
    const { paths } = deploy([{ ...one, path: two.path, method: two.method }]);
    expect(JSON.stringify(paths[two.path])).toContain(one.name);
    expect(JSON.stringify(paths[two.path])).not.toContain(two.name);
  });

  test('added or removed: leaves the permission to call another function in its policy', () => {
    const allowing = (served: Served, name: string) =>
      deploy(served).policies.flatMap(([id, policy]) =>
        JSON.stringify(policy).includes(`-${name}"`) ? [id] : [],
      );
    const name = one.name.replace('.', '-');
    expect(allowing([one], name)).toHaveLength(1);
    expect(allowing(routes, name)).toEqual(allowing([one], name));
  });

  test('of the previous release still exists', () => {
    const served = new Set(routes.map(({ method, path }) => `${method} ${path}`));
    expect(Object.keys(deployedRoutes).filter((key) => !served.has(key))).toEqual([]);
  });
});
