/**
 * Sends generated requests to the whole service in its deployed form, over HTTP on 127.0.0.1, and checks every response
 * against the OpenAPI document. Fails if a response is undocumented or a server error, if an operation never succeeds,
 * or if the memory of the service grows.
 *
 *     npm run fuzz                                     10,000 requests
 *     npm run fuzz -- --requests 200000 --seed 7
 *     npm run fuzz -- --concurrency 32
 *     npm run fuzz -- --requests 200000 --minutes 30   at most so long
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Mail } from '../../local/aws/ses.ts';
import { listenOnLoopback } from '../../local/loopback.ts';
import { domainRecord } from '../../shared/workspaces/domains/modes.ts';
import { startNameServer } from '../support/name-server.ts';
import { numberOf } from '../support/number.ts';
import { startOpenidProvider } from '../support/openid-provider.ts';
import type { Document } from './document.ts';
import { Fuzzer, unreached } from './fuzz.ts';
import { sender } from './send.ts';
import type { Answer, Memory, Question } from './service.ts';
import { summary } from './summary.ts';
import { fuzzedSettings, type Target } from './target.ts';

const { values: flags } = parseArgs({
  options: {
    requests: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    concurrency: { type: 'string', default: '16' },
    minutes: { type: 'string', default: '600' },
  },
});
const requests = Math.min(numberOf(flags.requests), 5_000_000);
const [seed, concurrency] = [numberOf(flags.seed), numberOf(flags.concurrency)];
const milliseconds = numberOf(flags.minutes) * 60_000;
/** Requests per table, because a local engine becomes slower with every write. */
const chapterLength = 5_000;
/** Allowed growth of the service's memory from a quarter of the run to its end. */
const growth = { share: 0.25, bytes: 24 * 1024 * 1024 };

const folder = await mkdtemp(join(tmpdir(), 'fuzz-'));
const dns = await startNameServer();
const google = await startOpenidProvider();
// It accepts every webhook.
const receiver = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(204).end());
});
const receiverUrl = await listenOnLoopback(receiver);
const child = fork(new URL('service.ts', import.meta.url), [folder], {
  execArgv: ['--expose-gc'],
  // Log lines are written as in production, and discarded.
  stdio: ['ignore', 'ignore', process.env['FUZZ_STDERR'] ? 'inherit' : 'ignore', 'ipc'],
});
const gone = once(child, 'exit').then(() =>
  Promise.reject(new Error('The service ended; FUZZ_STDERR=1 shows why')),
);
gone.catch(() => {});
const next = async () =>
  ((await Promise.race([once(child, 'message'), gone])) as [Answer | 'ready'])[0];
const ask = async (question: Question): Promise<Answer> => {
  const answer = next();
  child.send(question);
  return (await answer) as Answer;
};

const end = performance.now() + milliseconds;
let connection: ReturnType<typeof sender> | undefined;

/** Makes the service continue with an empty table. */
async function chapter(number: number): Promise<Target> {
  const begun = await ask({ chapter: number, settings: fuzzedSettings(google) });
  if (!('chapter' in begun)) throw new Error('The service answered something else.');
  const { url, projects, strict } = begun.chapter;
  connection ??= sender(url);
  return {
    url,
    projects,
    strict,
    send: connection.send,
    mails: async () => (await (await fetch(`${url}/_local/mail.json`)).json()) as Mail[],
    idToken: (claims) => google.signed({ ...claims, email_verified: true }),
    publish(workspace_id, domain) {
      const { name, value } = domainRecord({ ...projects[0], workspace_id }, domain);
      dns.publish(name, value);
    },
    receiver: `${receiverUrl}/hooks`,
  };
}

try {
  await next();
  const first = await chapter(0);
  const document = (await (await fetch(`${first.url}/openapi.json`)).json()) as Document;
  const samples: { at: number; memory: Memory }[] = [];
  const quarter = Math.ceil(requests / 4);
  const sample = async (at: number) => {
    const answer = await ask('memory');
    if ('memory' in answer) samples.push({ at, memory: answer.memory });
  };
  const fuzzer = new Fuzzer(first, document, {
    requests,
    seed,
    concurrency,
    sceneEvery: 1_000,
    between: async (done) => {
      if (Math.floor(done / quarter) > samples.length) await sample(done);
    },
  });
  await fuzzer.begin(first);
  await fuzzer.parade();
  for (
    let from = 0;
    from < requests && fuzzer.report.findings.length === 0 && performance.now() < end;
    from += chapterLength
  ) {
    if (from > 0) await fuzzer.begin(await chapter(from / chapterLength));
    const to = Math.min(from + chapterLength, requests);
    await fuzzer.run(from, to);
    if (fuzzer.report.findings.length === 0) process.stderr.write(`${to} of ${requests}\n`);
  }
  if (samples.length < 4) await sample(fuzzer.report.requests);
  const grown = grownTooMuch(samples.map(({ memory }) => memory.heap));
  console.log(summary(fuzzer.report, { ...flags, samples, grown }));
  const failed = fuzzer.report.findings.length > 0 || unreached(fuzzer.report).length > 0 || grown;
  process.exitCode = failed ? 1 : 0;
} finally {
  connection?.close();
  if (child.connected) child.disconnect();
  receiver.close();
  receiver.closeAllConnections();
  await Promise.all([google.close(), dns.close(), rm(folder, { recursive: true, force: true })]);
}

function grownTooMuch(heaps: readonly number[]): boolean {
  const [first = 0, last = 0] = [heaps[0], heaps.at(-1)];
  return last > first * (1 + growth.share) + growth.bytes;
}
