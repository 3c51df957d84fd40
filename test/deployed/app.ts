/** The app of bin/app.ts, with bundles and settings from any folder, and without a route if one is named. */
import { parseArgs } from 'node:util';
import { App } from 'aws-cdk-lib';
import { readConfig } from '../../lib/config.ts';
import { events } from '../../lib/domains/events.ts';
import { identity } from '../../lib/domains/identity.ts';
import { platform } from '../../lib/domains/platform.ts';
import { webhooks } from '../../lib/domains/webhooks.ts';
import { workspaces } from '../../lib/domains/workspaces.ts';
import { routes } from '../../shared/contract/api.ts';

const { values } = parseArgs({
  options: {
    bundles: { type: 'string', default: '' },
    config: { type: 'string', default: '' },
    without: { type: 'string' },
  },
});
if (values.without !== undefined) {
  const index = routes.findIndex(({ name }) => name === values.without);
  if (index < 0) throw new Error(`The contract has no route ${values.without}.`);
  // The stack reads both when it is loaded below.
  (routes as unknown[]).splice(index, 1);
  for (const domain of [identity, workspaces, webhooks, events, platform])
    delete (domain.endpoints as Record<string, unknown>)[values.without];
}
const { addService } = await import('../../lib/stack.ts');
const app = new App();
addService(app, readConfig(app.node, values.config), values.bundles);
app.synth();
