import { createRequire } from 'node:module';
import type { Browser, BrowserContext, CDPSession, Page, Request } from 'playwright-core';
import { afterEach, expect, vi } from 'vitest';
import { launchChromium } from './chromium.ts';

/** How wide the window is, a phone's 390 pixels or a desk's 1440, and which colours the person prefers. */
export type View = { width?: 390 | 1440; dark?: boolean };

const every: Required<View>[] = ([390, 1440] as const).flatMap((width) =>
  [false, true].map((dark) => ({ width, dark })),
);

/**
 * The views that everything has to look well in: a phone in the light and a desk in the dark. `expectWellMade` looks at
 * the other colours of each as well. `SCREENSHOTS` asks for all four, which people look at.
 */
export const views = process.env['SCREENSHOTS']
  ? every
  : every.filter(({ width, dark }) => dark === (width === 1440));

/** A page, and what has gone wrong in it: the test fails if something is left. Take out what it means to happen. */
export type Opened = {
  page: Page;
  context: BrowserContext;
  /** Whether it is opened in dark colours. */
  dark: boolean;
  problems: string[];
  /** Parts of problems of this page that are meant to happen from now on, as often as they do. */
  allowed: string[];
  /**
   * Keeps a picture for who wants to look, in the folder that `SCREENSHOTS` names: of the whole page, or of the window.
   */
  picture: (name: string, of?: 'page' | 'window') => Promise<void>;
};

const isLocal = (url: string): boolean =>
  /^(?:data:|blob:|about:|https?:\/\/(?:(?:[\w-]+\.)*localhost|127\.0\.0\.1)(?::\d+)?(?:\/|$))/.test(
    url,
  );

let running: Promise<Browser> | undefined;

/** The browser of this process. One that dies takes along the test that uses it, and no other. */
const browser = (): Promise<Browser> => (running ??= start());

async function start(): Promise<Browser> {
  const gone = () => {
    running = undefined;
  };
  try {
    return (await launchChromium()).once('disconnected', gone);
  } catch (error) {
    gone();
    throw error;
  }
}

/**
 * Gives a test file a browser, which starts with the first page that is opened; files that share a process share it.
 * Each page has its own cookies and storage, unless it is opened beside another one.
 */
export function useBrowser() {
  const contexts: BrowserContext[] = [];
  const problems: string[] = [];
  // A journey leads through many pages.
  vi.setConfig({ testTimeout: 120_000 });

  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
    expect(problems.splice(0)).toEqual([]);
  });

  /** Opens a page. `beside`: as another tab of the same window. */
  async function open({ width = 1440, dark = false }: View = {}, beside?: Opened): Promise<Opened> {
    const context =
      beside?.context ??
      (await (
        await browser()
      ).newContext({
        viewport: { width, height: width === 390 ? 844 : 900 },
        colorScheme: dark ? 'dark' : 'light',
        reducedMotion: 'reduce',
      }));
    if (!contexts.includes(context)) contexts.push(context);
    // Sooner than the test's own limit, which would not say what it waited for.
    context.setDefaultTimeout(20_000);
    const page = await context.newPage();
    const allowed: string[] = [];
    const report = (problem: string): void => {
      if (!allowed.some((part) => problem.includes(part))) problems.push(problem);
    };
    page.on('console', (message) => {
      if (message.type() !== 'error') return;
      report(`${message.text()} ${message.location().url}`);
    });
    page.on('pageerror', ({ message }) => report(message));
    page.on('request', (request: Request) => {
      if (!isLocal(request.url())) report(`refused: ${request.url()}`);
    });
    page.on('requestfailed', (request) => {
      const why = request.failure()?.errorText ?? '';
      // A page that is left, or a component that no longer asks, aborts what is under way.
      if (why !== 'net::ERR_ABORTED') report(`${why} ${request.url()}`);
    });
    const picture = async (name: string, of: 'page' | 'window' = 'page') => {
      const folder = process.env['SCREENSHOTS'];
      if (folder === undefined) return;
      const path = `${folder}/${name}-${width}-${dark ? 'dark' : 'light'}.png`;
      await page.screenshot({ path, fullPage: of === 'page' });
    };
    return { page, context, dark, problems, allowed, picture };
  }

  return { open };
}

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** What axe leaves out by default: the rule that WCAG 2.2 AA has added, targets of 24 by 24 pixels (2.5.8). */
const ofWcag = { rules: { 'target-size': { enabled: true } } };
/** All that depends on the colours alone. */
const ofColors = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };

/** Expects that axe finds nothing. */
export async function expectAccessible(opened: Opened): Promise<void> {
  expect(await violationsIn(opened, ofWcag)).toEqual([]);
}

type Violation = { id: string; impact: string; help: string; nodes: string[] };

/** Resolves when nothing that ends moves or fades in the page any more: colours in between are nobody's choice. */
const settled = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
  .map(({ finished }) => finished))`;

/** What is told of no violation, and takes as long as to look for them: what passes, and where each element is. */
const untold = { resultTypes: ['violations'], selectors: false };

/** It ends with the page: one that detaches takes the authenticator of another session along. */
const debuggers = new WeakMap<Page, Promise<CDPSession>>();

/** What axe finds. It runs by the debugger, so no policy of the page can keep it out. */
export async function violationsIn(
  { page, context }: Opened,
  options: object = {},
): Promise<Violation[]> {
  const started = debuggers.get(page) ?? context.newCDPSession(page);
  debuggers.set(page, started);
  const session = await started;
  // It is there for as long as the document: to send and compile it takes as long as to run it.
  const isThere = await session.send('Runtime.evaluate', { expression: `typeof axe === 'object'` });
  if (isThere.result.value !== true) {
    const { source } = (await import(axePath)) as { source: string };
    await session.send('Runtime.evaluate', { expression: source });
  }
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: `${settled}.then(() => axe.run(${JSON.stringify({ ...untold, ...options })})).then(({ violations }) => violations.map(({ id, impact, help, nodes }) =>
      ({ id, impact, help, nodes: nodes.map(({ html, failureSummary }) => html + ' ' + failureSummary) })))`,
    awaitPromise: true,
    returnByValue: true,
  });
  expect(exceptionDetails?.exception?.description).toBeUndefined();
  return result.value as Violation[];
}

/**
 * Expects of what is shown that axe finds nothing in it, in either colours, and that it fits, and keeps a picture of
 * it.
 */
export async function expectWellMade(opened: Opened, name: string): Promise<void> {
  await opened.picture(name);
  await expectAccessible(opened);
  await expectNoSideScroll(opened);
  const { page, dark } = opened;
  await page.emulateMedia({ colorScheme: dark ? 'light' : 'dark' });
  expect(await violationsIn(opened, ofColors), `dark: ${!dark}`).toEqual([]);
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
}

/** Expects that nothing is wider than the window: a person would have to scroll to the side to read it. */
export async function expectNoSideScroll({ page }: Opened): Promise<void> {
  const sizes = `[document.documentElement.scrollWidth, document.documentElement.clientWidth]`;
  const [content = 0, window = 0] = (await page.evaluate(sizes)) as number[];
  expect(content).toBeLessThanOrEqual(window);
}
