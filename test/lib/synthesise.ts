import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, type Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { afterAll } from 'vitest';
import { functionNames } from '../../lib/bundle.ts';
import { readConfig } from '../../lib/config.ts';
import { addService } from '../../lib/stack.ts';

const folder = mkdtempSync(join(tmpdir(), 'synth-'));
afterAll(() => rmSync(folder, { recursive: true }));
const cdkJson = JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8'));

export type Resource = {
  Type: string;
  Properties: Record<string, any>;
  DeletionPolicy?: string;
  DependsOn?: string[];
};

/**
 * The template of the stack, the rules of cdk-nag included, under cdk.json and this context. The bundles are
 * stand-ins: what is in them does not matter here. `change` may add to the stack before it is synthesised.
 */
export function synthesise(context: Record<string, unknown> = {}, change?: (stack: Stack) => void) {
  const bundles = join(folder, 'bundles');
  for (const name of functionNames) {
    mkdirSync(join(bundles, name), { recursive: true });
    writeFileSync(join(bundles, name, 'index.mjs'), `// ${name}`);
  }
  const app = new App({
    context: { ...cdkJson.context, ...context },
    outdir: mkdtempSync(join(folder, 'out-')),
  });
  const stack = addService(app, readConfig(app.node), bundles);
  change?.(stack);
  app.synth();
  const template = Template.fromStack(stack).toJSON();
  const resources: Record<string, Resource> = template['Resources'];
  return {
    template,
    stack,
    resources,
    outputs: template['Outputs'] as Record<string, { Value: unknown }>,
    ofType: (type: string): Resource[] =>
      Object.values(resources).filter((resource) => resource.Type === type),
    /** The Lambda function of a function of ours, by its description. */
    functionOf: (name: string): Resource => {
      const found = Object.values(resources).filter(
        ({ Type, Properties }) =>
          Type === 'AWS::Lambda::Function' && Properties['Description'] === name,
      );
      if (!found[0] || found.length > 1) throw new Error(`There are ${found.length} of ${name}.`);
      return found[0];
    },
  };
}
