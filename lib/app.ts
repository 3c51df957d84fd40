import { App, type AppProps, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { readConfig } from './config.ts';
import { ServiceStack } from './stack.ts';

/**
 * Makes the app with its one stack, checked by the AwsSolutions rules when it is synthesised.
 * Throws `ConfigError` for a wrong context value.
 *
 * @param bundles folder with one bundle for every function
 */
export function makeApp(bundles: string, props?: AppProps): App {
  const app = new App(props);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  new ServiceStack(app, readConfig(app.node), bundles);
  return app;
}
