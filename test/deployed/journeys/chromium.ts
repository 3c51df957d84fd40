import { match } from 'node:assert/strict';
import { branding, inEnvironment } from '../../browser/deployed-stage.ts';
import { runTest } from '../cdk.ts';
import { command } from '../operator.ts';
import type { World } from '../world.ts';

const file = 'test/browser/hosted-end-to-end.test.ts';

/** Users on the hosted pages, from sign-up to deletion: the test that also runs against the local service. */
export async function chromium(
  { checks, url: door }: World,
  { url, emulator }: { url: string; emulator: string },
): Promise<void> {
  const project = await checks.check('project:create makes a project with hosted pages', () =>
    command<World['project']>(
      'project:create',
      ...['--project', 'hosted', '--name', 'Test', '--hosted-pages', 'true'],
      ...['--password-sign-in', 'true', '--code-sign-in', 'true', '--sign-up', 'true'],
      ...['--branding', JSON.stringify(branding)],
    ),
  );
  await checks.check(
    'a user signs up, invites, joins, signs out everywhere and is deleted',
    async () => {
      const stage = inEnvironment({ url, door, project, emulator });
      match(await runTest(file, stage), /^[1-9]\d* passed, 0 failed$/m);
    },
  );
}
