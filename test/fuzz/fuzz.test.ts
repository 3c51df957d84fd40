import { afterAll, expect, test } from 'vitest';
import { domainRecord } from '#shared/workspaces/domains/modes.ts';
import { startNameServer } from '../support/name-server.ts';
import { startOpenidProvider } from '../support/openid-provider.ts';
import { startWorld } from '../support/world.ts';
import { Fuzzer, unreached } from './fuzz.ts';
import { sender } from './send.ts';
import { clientRequest, fuzzedSettings, type Target } from './target.ts';

/** A small part of `npm run fuzz`, which sends 200,000 requests to the bundles. */

const dns = await startNameServer();
const google = await startOpenidProvider();
// Webhooks are not delivered, because this test only checks responses.
const world = await startWorld({ subscribers: false });
const { send, close } = sender(world.url);
afterAll(async () => {
  close();
  await Promise.all([google.close(), dns.close()]);
});

const settings = fuzzedSettings(google);

test('1,500 generated requests get only documented responses, and every operation succeeds', async () => {
  const newProject = async () => {
    const made = await world.newProject(settings);
    await world.operate(clientRequest(made));
    return made;
  };
  const project = await newProject();
  const target: Target = {
    url: world.url,
    projects: [project, await newProject()],
    strict: await world.newProject({ ...settings, mfa: 'required' }),
    send,
    async mails() {
      await world.drainStream();
      return world.mails();
    },
    idToken: (claims) => google.signed({ ...claims, email_verified: true }),
    publish(workspace_id, domain) {
      const { name, value } = domainRecord({ ...project, workspace_id }, domain);
      dns.publish(name, value);
    },
    receiver: `${google.issuer}/hooks`,
  };
  const { body: document } = await world.call('GET', '/openapi.json');
  const options = { requests: 1_500, seed: 8, concurrency: 4, sceneEvery: 500 };
  const fuzzer = new Fuzzer(target, document, options);
  await fuzzer.begin(target);
  await fuzzer.parade();
  await fuzzer.run(0, options.requests);
  expect(fuzzer.report.findings).toEqual([]);
  expect(unreached(fuzzer.report)).toEqual([]);
  const { user, workspace } = fuzzer.report.byKeys;
  expect(Math.min(user, workspace)).toBeGreaterThan(0);
  expect(fuzzer.report.requests).toBeGreaterThan(options.requests);
}, 300_000);
