import { afterAll, expect, test } from 'vitest';
import { startGateway } from '../../local/http/gateway.ts';
import { fromSource } from '../../local/load.ts';
import { docs } from '../../shared/contract/docs.ts';
import { expectNoSideScroll, type Opened, useBrowser, violationsIn } from './browser.ts';

process.env['BASE_URL'] ??= 'http://localhost';
process.env['LOG_LEVEL'] ??= 'silent';
const gateway = await startGateway({
  routes: Object.values(docs),
  load: fromSource,
  fallback: null,
  functionTimeout: 20_000,
});
afterAll(() => gateway.close());
const { open } = useBrowser();
const views = [{ width: 390 }, { width: 1440, dark: true }] as const;

/** Opens the section of an operation once the layout is stable. */
async function openOperation(view: Parameters<typeof open>[0]): Promise<Opened> {
  const opened = await open(view);
  const { page } = opened;
  await page.goto(`${gateway.url}/docs#tag/users/POST/users`);
  await page.getByRole('heading', { name: 'Identity and workspace service' }).first().waitFor();
  await page
    .getByRole('button', { name: /Test Request/ })
    .first()
    .waitFor();
  return opened;
}

/** The accessibility violations that axe rates as serious or critical. */
async function barriersIn(opened: Opened): Promise<string[]> {
  const found = await violationsIn(opened);
  return found
    .filter(({ impact }) => impact === 'critical' || impact === 'serious')
    .map(({ id, nodes }) => `${id}: ${nodes.join('\n')}`);
}

test.each(views)(
  'an operation of the documentation has no serious axe violations: $width pixels',
  async (view) => {
    const opened = await openOperation(view);
    await opened.picture('docs', 'window');
    // Scalar continues to render after its headings appear, and until then elements keep the previous colours.
    await expect.poll(() => barriersIn(opened)).toEqual([]);
    await expectNoSideScroll(opened);
  },
);

test.each(views)(
  'the dialog to try a request has no serious axe violations: $width pixels',
  async (view) => {
    const opened = await openOperation(view);
    const operation = opened.page.locator('[id$="tag/users/POST/users"]').first();
    await operation.getByRole('button', { name: /Test Request/ }).click();
    await opened.page.locator('[role="dialog"] .cm-content').first().waitFor();
    await opened.page.locator('[role="dialog"] [role="combobox"]').first().waitFor();
    await opened.picture('docs-request', 'window');
    // Scalar continues to render after its headings appear, and until then elements keep the previous colours.
    await expect.poll(() => barriersIn(opened)).toEqual([]);
  },
);
