import { createRequire } from 'node:module';
import type { Browser, BrowserContext, CDPSession, Page, Request } from 'playwright-core';
import { afterEach, expect, vi } from 'vitest';
import { launchChromium } from './chromium.ts';

/** How wide the window is, a phone's 390 pixels or a desk's 1440, and which colours the person prefers. */
export type View = { width?: 390 | 1440; dark?: boolean };

/** A page, and what has gone wrong in it: the test fails if something is left. Take out what it means to happen. */
export type Opened = {
  page: Page;
  context: BrowserContext;
  /** How it is looked at now. */
  view: Required<View>;
  problems: string[];
  /** Parts of problems of this page that are meant to happen from now on, as often as they do. */
  allowed: string[];
  /**
   * Keeps a picture for who wants to look, in the folder that `SCREENSHOTS` names: of the whole page, or of the window.
   */
  picture: (name: string, of?: 'page' | 'window') => Promise<void>;
};

const windowOf = ({ width }: Required<View>) => ({ width, height: width === 390 ? 844 : 900 });
const colorsOf = ({ dark }: Required<View>) => (dark ? 'dark' : 'light');

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
    const view = { width, dark };
    const context =
      beside?.context ??
      (await (
        await browser()
      ).newContext({
        viewport: windowOf(view),
        colorScheme: colorsOf(view),
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
      const path = `${folder}/${name}-${view.width}-${colorsOf(view)}.png`;
      await page.screenshot({ path, fullPage: of === 'page' });
    };
    return { page, context, view, problems, allowed, picture };
  }

  return { open };
}

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** What axe leaves out by default: the rule that WCAG 2.2 AA has added, targets of 24 by 24 pixels (2.5.8). */
const ofWcag = { rules: { 'target-size': { enabled: true } } };
/** All that depends on the colours and on where things are, which the window decides. */
const ofLooks = {
  runOnly: {
    type: 'rule',
    values: ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size'],
  },
  ...ofWcag,
};
/** The elements that are shown. */
const shown = `[...document.querySelectorAll('*')].filter((each) => each.checkVisibility())
  .map(({ localName }) => localName).join()`;

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
 * Does something in each view: the window of a phone and that of a desk, in the light and in the dark. The page is as
 * it was afterwards.
 */
export async function inEachView(
  opened: Opened,
  work: (view: Required<View>) => Promise<unknown>,
): Promise<void> {
  const before = { ...opened.view };
  const { width, dark } = before;
  const otherWidth = width === 390 ? 1440 : 390;
  const others = [
    { width, dark: !dark },
    { width: otherWidth, dark: !dark },
    { width: otherWidth, dark },
  ] as const;
  try {
    await work(before);
    for (const view of others) {
      await show(opened, view);
      await work(view);
    }
  } finally {
    await show(opened, before);
  }
}

async function show({ page, view }: Opened, { width, dark }: Required<View>): Promise<void> {
  if (width !== view.width) await page.setViewportSize(windowOf({ width, dark }));
  if (dark !== view.dark) await page.emulateMedia({ colorScheme: colorsOf({ width, dark }) });
  Object.assign(view, { width, dark });
}

/** Expects of what is shown that in each view axe finds nothing in it, and that it fits, and keeps pictures of it. */
export async function expectWellMade(opened: Opened, name: string): Promise<void> {
  let before: unknown;
  await inEachView(opened, async ({ width, dark }) => {
    await opened.picture(name);
    const elements = await opened.page.evaluate(shown);
    // Where the same elements are shown, they have the same names and the same order.
    const rules = elements === before ? ofLooks : ofWcag;
    expect(await violationsIn(opened, rules), `${width} pixels, dark: ${dark}`).toEqual([]);
    await expectNoSideScroll(opened);
    before = elements;
  });
}

/** Expects that nothing is wider than the window: a person would have to scroll to the side to read it. */
export async function expectNoSideScroll({ page }: Opened): Promise<void> {
  const sizes = `[document.documentElement.scrollWidth, document.documentElement.clientWidth]`;
  const [content = 0, window = 0] = (await page.evaluate(sizes)) as number[];
  expect(content).toBeLessThanOrEqual(window);
}
