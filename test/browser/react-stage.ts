import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, preview } from 'vite';
import { afterAll } from 'vitest';
import type { Opened } from './browser.ts';

/** Resolves when a user is signed in. */
export const isIn = ({ page }: Opened) =>
  page.getByRole('button', { name: /^Account of/ }).waitFor();

const root = join(import.meta.dirname, '../..');

/** Builds examples/react-vite with the client of this checkout and serves it. Resolves with its origin. */
export async function serveReactExample(service: {
  url: string;
  projectId: string;
  methods?: string;
  /** The sources that a captcha provider needs. */
  captcha?: { scripts: string; frames: string };
}) {
  const { scripts, frames } = service.captcha ?? { scripts: '', frames: "'none'" };
  const outDir = await mkdtemp(join(tmpdir(), 'react-vite-'));
  Object.assign(process.env, {
    VITE_SERVICE_URL: service.url,
    VITE_PROJECT_ID: service.projectId,
    VITE_METHODS: service.methods ?? 'code,password',
  });
  const config = {
    configFile: false,
    root: join(root, 'examples/react-vite'),
    logLevel: 'error',
    resolve: {
      alias: [
        { find: /^identity-workspace-client$/, replacement: join(root, 'client/index.ts') },
        { find: /^identity-workspace-client\/(.*)$/, replacement: join(root, 'client/$1.ts') },
      ],
    },
    build: { outDir, emptyOutDir: true, modulePreload: { polyfill: false } },
  } as const;
  await build(config);
  const server = await preview({
    ...config,
    preview: {
      host: '127.0.0.1',
      port: 0,
      headers: {
        // The policy that the guide requires: the components need no exception from it.
        'content-security-policy': `default-src 'none'; script-src 'self' ${scripts}; frame-src ${frames}; style-src 'self'; img-src data:; connect-src ${service.url}; base-uri 'none'; form-action 'self'; require-trusted-types-for 'script'`,
      },
    },
  });
  afterAll(async () => {
    await server.close();
    await rm(outDir, { recursive: true, force: true });
  });
  const [url = ''] = server.resolvedUrls?.local ?? [];
  return url.replace(/\/$/, '');
}
