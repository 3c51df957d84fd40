import { expect, test } from 'vitest';
import { serve } from '../support/serve.ts';
import {
  expectAccessible,
  expectNoSideScroll,
  expectWellMade,
  inEachView,
  useBrowser,
} from './browser.ts';

/** Pages by path, served with the strictest Content-Security-Policy. */
const pages: Record<string, string> = {
  '/good': '<main><h1>Good</h1></main>',
  '/wide': '<main><h1>Wide</h1><p style="width:2000px">Wide</p></main>',
  '/wide-on-a-phone': '<main><h1>Wide</h1><p style="width:1000px">Wide</p></main>',
  '/nameless-on-a-phone':
    '<style>@media (min-width: 400px) { input { display: none } }</style><main><h1>Nameless</h1><input></main>',
  '/nameless': '<main><h1>Nameless</h1><input></main>',
  '/faint':
    '<style>@media (prefers-color-scheme: dark) { h1 { color: #eee } }</style><main><h1>Faint</h1></main>',
  '/small-on-a-phone':
    '<style>button { padding: 20px } @media (max-width: 400px) { button { font-size:8px;padding:0 } }</style><main><h1>Small</h1><button>a</button><button>b</button></main>',
  '/small':
    '<main><h1>Small</h1><button style="font-size:8px;padding:0">a</button><button style="font-size:8px;padding:0">b</button></main>',
};
const origin = await serve(({ url = '' }, response) => {
  const body = pages[url];
  response.writeHead(body === undefined ? 404 : 200, {
    'content-type': 'text/html',
    'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; img-src data:; connect-src *; require-trusted-types-for 'script'`,
  });
  response.end(`<!doctype html><html lang="en"><title>Test</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width">${body ?? '<h1>Nothing</h1>'}</html>`);
});
const { open } = useBrowser();

test('inEachView shows the page in four views, and then in its first view again', async () => {
  const opened = await open({ width: 390 });
  const { page } = opened;
  await page.goto(`${origin}/good`);
  const view = async () => ({
    width: await page.evaluate('innerWidth'),
    dark: await page.evaluate(`matchMedia('(prefers-color-scheme: dark)').matches`),
  });
  const seen: object[] = [];
  await inEachView(opened, async (each) => {
    expect(await view()).toEqual(each);
    seen.push(each);
  });
  expect(new Set(seen.map((each) => JSON.stringify(each))).size).toBe(4);
  expect(await view()).toEqual({ width: 390, dark: false });
  await expectWellMade(opened, 'good');
});

test('the checks find side scroll, accessibility violations, failed requests and errors of scripts', async () => {
  const opened = await open({ width: 390 });
  await opened.page.goto(`${origin}/wide`);
  await expect(expectNoSideScroll(opened)).rejects.toThrow('to be less than');
  await opened.page.goto(`${origin}/nameless`);
  await expect(expectAccessible(opened)).rejects.toThrow('label');
  // WCAG 2.2: two adjacent targets smaller than 24 pixels.
  await opened.page.goto(`${origin}/small`);
  await expect(expectAccessible(opened)).rejects.toThrow('target-size');
  // The failure appears only in the colour scheme that the page was not opened in.
  await opened.page.goto(`${origin}/faint`);
  await expectAccessible(opened);
  await expect(expectWellMade(opened, 'faint')).rejects.toThrow('color-contrast');
  // The failure appears only at the width that the page was not opened at.
  const desk = await open();
  await desk.page.goto(`${origin}/wide-on-a-phone`);
  await expectNoSideScroll(desk);
  await expect(expectWellMade(desk, 'wide')).rejects.toThrow('to be less than');
  await desk.page.goto(`${origin}/nameless-on-a-phone`);
  await expectAccessible(desk);
  await expect(expectWellMade(desk, 'nameless')).rejects.toThrow('label');
  await desk.page.goto(`${origin}/small-on-a-phone`);
  await expectAccessible(desk);
  await expect(expectWellMade(desk, 'small')).rejects.toThrow('target-size');
  await opened.page.goto(`${origin}/missing`);
  expect(opened.problems.splice(0)).toEqual([expect.stringContaining('404')]);
  await opened.page.evaluate(`setTimeout(() => { throw new Error('broken') })`);
  await expect.poll(() => opened.problems.splice(0)).toEqual(['broken']);
});

test.each(['https://example.com/', 'http://192.0.2.1/', 'http://[2001:db8::1]/'])(
  'requests to other machines are blocked and reported: %s',
  async (url) => {
    const opened = await open();
    await opened.page.goto(`${origin}/good`);
    expect(await opened.page.evaluate(`fetch('${url}').catch(({ name }) => name)`)).toBe(
      'TypeError',
    );
    const problems = opened.problems.splice(0).join('\n');
    expect(problems).toContain(`refused: ${url}`);
    expect(problems).toContain('net::ERR_NAME_NOT_RESOLVED');
  },
);

test('a crashed browser is replaced by a new one', async () => {
  const { context } = await open();
  const died = context.browser();
  const session = await died?.newBrowserCDPSession();
  await session?.send('Browser.crash').catch(() => {});
  await expect.poll(() => died?.isConnected()).toBe(false);
  const opened = await open();
  await opened.page.goto(`${origin}/good`);
  expect(opened.context.browser()).not.toBe(died);
});
