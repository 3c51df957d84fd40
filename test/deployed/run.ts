/**
 * Deploys the service to an AWS emulator on this machine, uses all of it over HTTP, deploys it again, and destroys it.
 *
 *     npm run test:deployed
 * npm run test:deployed -- --bundles FOLDER   uses existing bundles
 *
 * Needs python3 (3.10 or newer, with venv) and, the first time, PyPI; without them it says so and exits with 2.
 */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleFunctions } from '../../lib/bundle.ts';
import { startNameServer } from '../support/name-server.ts';
import { startOpenidProvider } from '../support/openid-provider.ts';
import { startStandIn } from '../support/provider-stand-in.ts';
import { startSiteverify } from '../support/siteverify.ts';
import { Missing, pythonWith } from '../tools/python.ts';
import { endCommands } from './cdk.ts';
import { Checks, Ended } from './checks.ts';
import { type Emulator, startEmulator } from './emulator.ts';
import { startReceiver } from './receiver.ts';
import { suite } from './suite.ts';

const { values: flags } = parseArgs({ options: { bundles: { type: 'string' } } });
const checks = new Checks();
const folder = await mkdtemp(join(tmpdir(), 'deployed-'));
const start = performance.now();
let emulator: Emulator | undefined;
let stopping: Promise<void> | undefined;

/** Ends all started processes. */
function stop(): Promise<void> {
  stopping ??= (async () => {
    endCommands();
    const left = (await emulator?.stop()) ?? [];
    for (const process of left) console.error(`This process was left behind: ${process}`);
    if (left.length > 0) checks.failed += 1;
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  })();
  return stopping;
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void stop().finally(() => process.exit(130)));

async function run(): Promise<void> {
  const python = await pythonWith(join(import.meta.dirname, 'requirements.txt'));
  const [receiver, google, names] = await Promise.all([
    startReceiver(),
    startOpenidProvider(),
    startNameServer(),
  ]);
  try {
    const authority = join(folder, 'receiver.pem');
    await writeFile(authority, receiver.certificate);
    emulator = await startEmulator(python, {
      folder,
      environment: {
        NODE_OPTIONS: `--import=${join(import.meta.dirname, 'internet.mjs')}`,
        NODE_EXTRA_CA_CERTS: authority,
        NODE_COMPILE_CACHE: join(folder, 'compiled'),
        RECEIVER_PORT: String(receiver.port),
        DNS_SERVERS: process.env['DNS_SERVERS'] ?? '',
      },
    });
    Object.assign(process.env, clientEnvironment(emulator.url));
    const bundles = join(folder, 'bundles');
    if (flags.bundles === undefined) await bundleFunctions(bundles);
    else await cp(flags.bundles, bundles, { recursive: true });
    const own = await startStandIn('oidc', (origin) => receiver.leadTo(origin), {
      '/google/jwks': google.jwks_uri,
    });
    const siteverify = await startSiteverify();
    await suite({ checks, emulator, bundles, folder, receiver, google, own, siteverify, names });
  } finally {
    receiver.close();
    await Promise.all([google.close(), names.close()]);
  }
}

/** Directs all AWS clients, including those of child processes, to the emulator. */
function clientEnvironment(url: string): Record<string, string> {
  return {
    // With an IP address, S3 clients put the bucket into the path, not into a host name that would have to resolve.
    AWS_ENDPOINT_URL: url,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_REGION: 'us-east-1',
    AWS_CONFIG_FILE: join(folder, 'no-config'),
    AWS_SHARED_CREDENTIALS_FILE: join(folder, 'no-credentials'),
    AWS_EC2_METADATA_DISABLED: 'true',
  };
}

try {
  await run();
} catch (error) {
  if (error instanceof Missing) {
    console.error(error.message);
    await stop();
    process.exit(2);
  }
  // Findings of checks were printed already.
  if (!(error instanceof Ended)) {
    checks.failed += 1;
    console.error(error);
  }
}
if (checks.failed > 0) console.error((await emulator?.log())?.slice(-5_000));
await stop();
const seconds = Math.round((performance.now() - start) / 1_000);
process.stdout.write(`\n${seconds} s\n${checks.passed} passed, ${checks.failed} failed\n`);
process.exitCode = checks.failed > 0 ? 1 : 0;
