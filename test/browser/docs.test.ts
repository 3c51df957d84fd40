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

/** The accessibility violations that axe rates as serious or critical. */
async function barriersIn(opened: Opened): Promise<string[]> {
  const found = await violationsIn(opened);
  return found
    .filter(({ impact }) => impact === 'critical' || impact === 'serious')
    .map(({ id, nodes }) => `${id}: ${nodes.join('\n')}`);
}

test.each(views)(
  'the page and its dialog to try a request are accessible at $width pixels',
  async (view) => {
    const opened = await open(view);
    const { page } = opened;
    await page.goto(`${gateway.url}/docs#tag/users/POST/users`);
    await page.getByRole('heading', { name: 'Identity and workspace service' }).first().waitFor();
    const tryRequest = page
      .locator('[id$="tag/users/POST/users"]')
      .first()
      .getByRole('button', { name: /Test Request/ });
    await tryRequest.waitFor();
    await opened.picture('docs', 'window');
    // Scalar continues to render after its headings appear, and until then elements keep the previous colours.
    await expect.poll(() => barriersIn(opened)).toEqual([]);
    await expectNoSideScroll(opened);
    await tryRequest.click();
    await page.locator('[role="dialog"] .cm-content').first().waitFor();
    await page.locator('[role="dialog"] [role="combobox"]').first().waitFor();
    await opened.picture('docs-request', 'window');
    await expect.poll(() => barriersIn(opened)).toEqual([]);
  },
);
