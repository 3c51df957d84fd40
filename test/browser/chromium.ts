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

/** Whatever a page asks for, nothing leaves this machine. */
function hosts(): string {
  const deployed = fromEnvironment();
  // By the name that it has for browsers, the deployed service is asked here.
  const door = deployed && `MAP ${new URL(deployed.url).host} ${new URL(deployed.door).host}`;
  const nowhere = 'MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1';
  return [...(door ? [door] : []), nowhere].join(', ');
}
const flags = ['--disable-gpu', '--disable-quic', `--host-resolver-rules=${hosts()}`];

/**
 * Starts Chromium: that of the npm package on Linux x64, which needs nothing of the system; elsewhere, or by the
 * variable `CHROMIUM`, an installed one. It ends with this process, for its pipe closes.
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
 * Unpacks the package, once per version. It takes a file that is there for whole, also while another process writes it,
 * and puts its libraries into the environment: so a process of its own unpacks into a folder of its own.
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
    // Another process was first.
    if (!existsSync(packed)) throw error;
  }
}
