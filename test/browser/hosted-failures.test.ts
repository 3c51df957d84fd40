import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { PageName } from '../../shared/contract/pages.ts';
import { goodPassword } from '../support/sign-in.ts';
import { expectWellMade, useBrowser } from './browser.ts';
import { allow, field, press, says, settled, startHostedStage, visit } from './hosted-stage.ts';

/** What the hosted pages do where the network does not, or another page tries to show them. */
const { world, enterAs, people, at } = await startHostedStage();
const ada = await people.signUp('ada@example.com');
const { workspace_id } = await world.workspace({ owner: ada, name: 'Engines' });
const { open } = useBrowser();

describe('a network that is slow, and then fails', () => {
  test.each<[PageName, string | RegExp]>([
    ['sign-in', '**/projects/**'],
    ['account', '**/session/token'],
    ['account', '**/sessions'],
    ['workspaces', /:\d+\/workspaces/],
    ['members', '**/workspaces/*'],
    ['members', '**/users?**'],
    ['ownership', '**/workspaces/*'],
  ])('%s without %s has words and a way to try again', async (name, requests) => {
    const opened = await enterAs(await open({ width: 390 }), ada);
    const { page, problems } = opened;
    const slow = Promise.withResolvers<void>();
    const abort = { count: 0 };
    await page.route(requests, async (route) => {
      if (route.request().resourceType() === 'document') return route.continue();
      abort.count += 1;
      await slow.promise;
      return route.abort('connectionreset');
    });
    await page.goto(at(name, { workspace_id }));
    await expect.poll(() => abort.count).toBeGreaterThan(0);
    if (name !== 'sign-in') await page.locator('[aria-busy=true]').first().waitFor();
    await opened.picture(`slow-${name}`);
    slow.resolve();
    await says(opened, 'The service cannot be reached. Are you online?');
    await expectWellMade(opened, `failed-${name}`);
    await page.unroute(requests);
    const again = page.getByRole('button', { name: 'Try again' });
    while ((await again.count()) > 0) {
      const [failed] = await again.all();
      await failed?.click();
      await settled(opened);
    }
    expect(await page.getByText('The service cannot be reached').count()).toBe(0);
    expect(problems.splice(0).filter((each) => !each.includes('CONNECTION_RESET'))).toEqual([]);
  });

  test('a form keeps what was typed, and sends it again', async () => {
    const opened = await enterAs(await open({ width: 390 }));
    const { page, problems } = opened;
    await visit(opened, at('sign-in'));
    allow(opened, '401');
    const slow = Promise.withResolvers<void>();
    await page.route('**/sessions/password', async (route) => {
      await slow.promise;
      await route.abort('connectionreset');
    });
    await field(opened, 'E-mail').fill('ada@example.com');
    await field(opened, 'Password').fill(goodPassword);
    await press(opened, 'Sign in');
    await page.locator('button[aria-busy=true]').waitFor();
    await expectWellMade(opened, 'slow-form');
    slow.resolve();
    await says(opened, 'The service cannot be reached. Are you online?');
    await expectWellMade(opened, 'failed-form');
    expect(problems.splice(0).filter((each) => !each.includes('CONNECTION_RESET'))).toEqual([]);
    await page.unroute('**/sessions/password');
    await press(opened, 'Sign in');
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
  });
});

test.each(['sign-in', 'account'] as const)(
  'a page of an attacker cannot frame %s (clickjacking)',
  async (name) => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(
        `<!doctype html><title>Win</title><link rel="icon" href="data:,"><iframe src="${at(name)}"></iframe>`,
      );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const opened = await open();
      const { page, problems } = opened;
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      await expect.poll(() => problems.join('\n')).toContain('frame-ancestors');
      const frame = page.frames()[1];
      expect(frame?.url()).not.toContain(world.url);
      expect(await frame?.locator('form').count()).toBe(0);
      problems.splice(0);
    } finally {
      server.close();
    }
  },
);
