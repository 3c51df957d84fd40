/**
 * Runs Amazon's DynamoDB Local by the package `dynamodb-local` and ends it when standard input closes, which the system
 * does however the parent dies. The first line of output is the id of the engine's process. The package downloads the
 * engine into the install path where that has none.
 *
 *     node dynamodb-local-guard.ts <install path> <port> <data folder, or '' for memory> <option>...
 */
import { setTimeout as sleep } from 'node:timers/promises';
import dynamodbLocal from 'dynamodb-local';

const [installPath = '', port = '', dbPath = '', ...options] = process.argv.slice(2);
// The package ends the engine when this process exits.
process.on('SIGTERM', () => process.exit(1));
dynamodbLocal.configureInstaller({ installPath });
const engine = await dynamodbLocal.launch(
  Number(port),
  dbPath,
  // Its type lacks -disableTelemetry.
  options as Parameters<typeof dynamodbLocal.launch>[2],
);
engine.once('exit', (code) => process.exit(code ?? 1));
process.stdout.write(`${engine.pid}\n`);
process.stdin.resume().once('close', () => void end());

async function end(): Promise<void> {
  // With a file, the engine responds to a transaction shortly before it has written it.
  if (dbPath) await sleep(300);
  engine.kill();
  await sleep(2_000);
  engine.kill('SIGKILL');
}
