import { App } from 'aws-cdk-lib';
import { bundleFunctions } from '../lib/bundle.ts';
import { ConfigError, readConfig } from '../lib/config.ts';
import { addService } from '../lib/stack.ts';

try {
  const app = new App();
  const config = readConfig(app.node);
  const bundles = `${import.meta.dirname}/../dist`;
  await bundleFunctions(bundles);
  addService(app, config, bundles);
  app.synth();
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
