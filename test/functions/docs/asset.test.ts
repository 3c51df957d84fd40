import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { docsAssets, docsScripts } from '#shared/contract/docs.ts';
import { get, getRaw } from './serve.ts';

const types: Record<string, string> = { js: 'javascript', errors: 'html' };

test.each(docsAssets)('200 %s with its own media type', async (file) => {
  const response = await get(`/docs/${file}`);
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': `text/${types[file.split('.').at(-1) ?? '']}; charset=utf-8`,
    'cache-control':
      file === 'errors' ? 'public, max-age=86400' : 'public, max-age=31536000, immutable',
  });
  expect((await response.text()).length).toBeGreaterThan(100);
});

test.each(Object.entries(docsScripts))(
  '%s has the hash of its content in its name, because caches keep it for a year',
  async (script, file) => {
    const { body } = await getRaw(`/docs/${file}`, { 'accept-encoding': 'identity' });
    const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
    expect(file, 'write this name into shared/contract/docs.ts').toBe(`${script}.${hash}.js`);
  },
);

/** Lambda's limit for a response, which is JSON, in bytes. */
const lambdaLimit = 6 * 1024 * 1024;

test.each(['identity', 'gzip', 'br'])(
  'Scalar fits into a response of Lambda for a client that accepts %s',
  async (coding) => {
    const { status, headers, body } = await getRaw(`/docs/${docsScripts.scalar}`, {
      'accept-encoding': coding,
    });
    expect(status).toBe(200);
    const encoded = headers['content-encoding'] !== undefined;
    expect(encoded).toBe(coding !== 'identity');
    // Text is escaped, which adds less than the third of base64.
    const sent = JSON.stringify(body.toString(encoded ? 'base64' : 'utf8'));
    expect(Buffer.byteLength(sent)).toBeLessThan(lambdaLimit - 1_000_000);
  },
);

test.each(['package.json', '..%2Fasset.ts', 'asset.ts', '%2e%2e%2fpackage.json', 'start.js'])(
  '400 %s is no file of the documentation',
  async (file) => {
    const response = await get(`/docs/${file}`);
    expect(await response.json()).toMatchObject({
      status: 400,
      code: 'invalid_request',
      errors: [{ pointer: '/path/file' }],
    });
  },
);

describe('the script that starts Scalar', () => {
  /** Runs it as on a page at this address. Returns the configuration for Scalar. */
  async function started(baseURI: string) {
    const script = await (await get(`/docs/${docsScripts.start}`)).text();
    const passed: [string, Record<string, unknown>][] = [];
    const loaded: (() => void)[] = [];
    const scope: Record<string, unknown> = {
      URL,
      MutationObserver: class {
        observe() {}
      },
      document: { baseURI, addEventListener: (_: string, run: () => void) => loaded.push(run) },
    };
    runInNewContext(script, scope);
    expect(passed).toEqual([]);
    scope['Scalar'] = {
      createApiReference: (...given: (typeof passed)[number]) => passed.push(given),
    };
    for (const run of loaded) run();
    expect(passed).toHaveLength(1);
    return { scope, selector: passed[0]?.[0], configuration: passed[0]?.[1] ?? {} };
  }

  test.each([
    ['https://api.example.com/docs', 'https://api.example.com/'],
    ['https://api.example.com/prod/docs#tag/users', 'https://api.example.com/prod/'],
  ])('on %s calls the service at %s', async (address, service) => {
    const { selector, configuration } = await started(address);
    expect(await (await get('/docs')).text()).toContain(`id="${selector?.slice(1)}"`);
    expect(configuration).toMatchObject({
      url: `${service}openapi.json`,
      baseServerURL: service,
    });
  });

  test('turns off features that contact another host, store credentials or compile code', async () => {
    const { scope, configuration } = await started('https://api.example.com/docs');
    expect(scope['__zod_globalConfig']).toEqual({ jitless: true });
    expect(configuration).toMatchObject({
      agent: { disabled: true },
      hideClientButton: true,
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      telemetry: false,
      withDefaultFonts: false,
    });
    for (const name of ['proxyUrl', 'persistAuth', 'pluginUrls'])
      expect(configuration).not.toHaveProperty(name);
  });
});
