import { createRequire } from 'node:module';
import type { Browser, BrowserContext, CDPSession, Page, Request } from 'playwright-core';
import { afterEach, expect, vi } from 'vitest';
import { launchChromium } from './chromium.ts';

/** The width of the window (phone or desktop) and the preferred colour scheme. */
export type View = { width?: 390 | 1440; dark?: boolean };

/** A page and its problems. The test fails if any are left at its end: remove those that it expects. */
export type Opened = {
  page: Page;
  context: BrowserContext;
  /** The current view. */
  view: Required<View>;
  problems: string[];
  /** Substrings of problems of this page that are ignored from now on. */
  allowed: string[];
  /** Saves a screenshot of the page or the window to the folder that `SCREENSHOTS` names, if it is set. */
  picture: (name: string, of?: 'page' | 'window') => Promise<void>;
};

const windowOf = ({ width }: Required<View>) => ({ width, height: width === 390 ? 844 : 900 });
const colorsOf = ({ dark }: Required<View>) => (dark ? 'dark' : 'light');

const isLocal = (url: string): boolean =>
  /^(?:data:|blob:|about:|https?:\/\/(?:(?:[\w-]+\.)*localhost|127\.0\.0\.1)(?::\d+)?(?:\/|$))/.test(
    url,
  );

let running: Promise<Browser> | undefined;

/** The browser of this process. After a crash, the next page starts another one. */
const browser = (): Promise<Browser> => (running ??= start());

async function start(): Promise<Browser> {
  const discard = () => {
    running = undefined;
  };
  try {
    return (await launchChromium()).once('disconnected', discard);
  } catch (error) {
    discard();
    throw error;
  }
}

/**
 * Provides a browser to a test file. It starts with the first page, and files in one process share it. Each page has
 * its own cookies and storage, unless it is opened beside another one.
 */
export function useBrowser() {
  const contexts: BrowserContext[] = [];
  const problems: string[] = [];
  // Some tests visit many pages.
  vi.setConfig({ testTimeout: 120_000 });

  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
    expect(problems.splice(0)).toEqual([]);
  });

  /** Opens a page. With `beside`, it is another tab in the same browser context. */
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
    // Shorter than the test timeout, so that the error names the element that was missing.
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
      // Leaving a page or unmounting a component aborts its requests.
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

/** axe leaves out this WCAG 2.2 AA rule by default: targets of at least 24 by 24 pixels (2.5.8). */
const wcagOptions = { rules: { 'target-size': { enabled: true } } };
/** The rules whose result depends on the colour scheme or on the width, beside the elements. */
const rulesOf = {
  colours: ['color-contrast', 'link-in-text-block'],
  layout: ['scrollable-region-focusable', 'target-size'],
};
/** The visible elements. */
const visibleElements = `[...document.querySelectorAll('*')].filter((each) => each.checkVisibility())
  .map(({ localName }) => localName).join()`;

/** Expects that axe finds no violations. */
export async function expectAccessible(opened: Opened): Promise<void> {
  expect(await violationsIn(opened, wcagOptions)).toEqual([]);
}

type Violation = { id: string; impact: string; help: string; nodes: string[] };

/** Resolves when all finite animations and transitions have ended: axe must not judge intermediate colours. */
const animationsFinished = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
  .map(({ finished }) => finished))`;

/** Passing rules and selectors are not reported: computing them takes as long as finding violations. */
const reportOptions = { resultTypes: ['violations'], selectors: false };

/** Kept until the page closes: detaching one would remove the authenticator of another session. */
const debuggers = new WeakMap<Page, Promise<CDPSession>>();

/** Returns the violations that axe finds. It runs through the debugger, so the page's policy cannot block it. */
export async function violationsIn(
  { page, context }: Opened,
  options: object = {},
): Promise<Violation[]> {
  const started = debuggers.get(page) ?? context.newCDPSession(page);
  debuggers.set(page, started);
  const session = await started;
  // axe is injected once per document: sending and compiling it takes as long as running it.
  const loaded = await session.send('Runtime.evaluate', { expression: `typeof axe === 'object'` });
  if (loaded.result.value !== true) {
    const { source } = (await import(axePath)) as { source: string };
    await session.send('Runtime.evaluate', { expression: source });
  }
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: `${animationsFinished}.then(() => axe.run(${JSON.stringify({ ...reportOptions, ...options })})).then(({ violations }) => violations.map(({ id, impact, help, nodes }) =>
      ({ id, impact, help, nodes: nodes.map(({ html, failureSummary }) => html + ' ' + failureSummary) })))`,
    awaitPromise: true,
    returnByValue: true,
  });
  expect(exceptionDetails?.exception?.description).toBeUndefined();
  return result.value as Violation[];
}

/** Runs the work in each view: phone and desktop, light and dark. Restores the view of the page afterwards. */
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

/** Expects in each view that axe finds no violations and that the page fits the window. Takes a screenshot of each. */
export async function expectWellMade(opened: Opened, name: string): Promise<void> {
  const judge = newJudge(opened);
  await inEachView(opened, async ({ width, dark }) => {
    await opened.picture(name);
    expect(await judge({ width, dark }), `${width} pixels, dark: ${dark}`).toEqual([]);
    await expectNoSideScroll(opened);
  });
}

/**
 * Returns what finds the violations of one view after another. Rules of colours are left out where the same elements
 * were judged in the same scheme, rules of layout where they were in the same width, all others where they were at all:
 * axe takes most of the time.
 */
function newJudge(opened: Opened) {
  const judged = new Set<string>();
  return async ({ width, dark }: Required<View>): Promise<Violation[]> => {
    // If the same elements are visible, their names and order are the same too.
    const elements = (await opened.page.evaluate(visibleElements)) as string;
    const isNew = (what: string): boolean => {
      const before = judged.size;
      return judged.add(`${what} ${elements}`).size > before;
    };
    const [anew, colours, layout] = [isNew(''), isNew(`dark: ${dark}`), isNew(`width: ${width}`)];
    if (anew) return violationsIn(opened, wcagOptions);
    const values = [...(colours ? rulesOf.colours : []), ...(layout ? rulesOf.layout : [])];
    if (values.length === 0) return [];
    return violationsIn(opened, { ...wcagOptions, runOnly: { type: 'rule', values } });
  };
}

/** Expects that nothing is wider than the window: reading it would need sideways scrolling. */
export async function expectNoSideScroll({ page }: Opened): Promise<void> {
  const sizes = `[document.documentElement.scrollWidth, document.documentElement.clientWidth]`;
  const [content = 0, window = 0] = (await page.evaluate(sizes)) as number[];
  expect(content).toBeLessThanOrEqual(window);
}
