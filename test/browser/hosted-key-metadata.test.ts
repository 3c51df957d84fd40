import { expect, test } from 'vitest';
import { limits } from '../../shared/model/limits.ts';
import { expectWellMade, useBrowser } from './browser.ts';
import { allow, field, press, says, startHostedStage, unfold, visit } from './hosted-stage.ts';

/** The metadata of API keys, in the account and in a workspace. */
const { world, people, at, enterAs } = await startHostedStage();
const { open } = useBrowser();

test.each(['account', 'api-keys'] as const)(
  'on the page %s metadata can be entered, shown, changed and cleared, and errors appear at the field',
  async (name) => {
    const ada = await people.signUp(`ada-${name}@example.com`);
    const { workspace_id } = await world.workspace({ owner: ada, name: 'Engines' });
    const asAda = world.as(ada);
    const list = async () =>
      name === 'account' ? asAda.apiKeys.list() : asAda.workspaceKeys.list({ workspace_id });
    const stored = async () => (await list()).body.result[0]?.metadata;
    const opened = await enterAs(await open(), ada);
    const { page } = opened;
    /** The focus moves to the invalid field. */
    const atData = async () => {
      await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('metadata');
    };
    await visit(opened, at(name, { workspace_id }));
    await unfold(opened, 'Create an API key');
    await field(opened, 'Name').fill('nightly');
    for (const wrong of ['{"team": ', '["team"]', '"team"', 'null', '1']) {
      await field(opened, 'Data of your own (optional)').fill(wrong);
      await press(opened, 'Create');
      await says(opened, 'This is not a JSON object.');
      await atData();
    }
    await expectWellMade(opened, `key-metadata-wrong-${name}`);
    // Only the service checks the size.
    const large = JSON.stringify({ text: 'ä'.repeat(limits.apiKeyMetadata / 2) });
    await field(opened, 'Data of your own (optional)').fill(large);
    await press(opened, 'Create');
    await says(opened, 'This is not valid.');
    await atData();
    expect(await stored()).toBeUndefined();
    const first = { team: 'web', מפתח: ['<b>', 1] };
    await field(opened, 'Data of your own (optional)').fill(JSON.stringify(first));
    await press(opened, 'Create');
    await says(opened, 'This is the key nightly.');
    await says(opened, '{"team":"web"');
    expect(await stored()).toEqual(first);

    await page.getByText('Change nightly').click();
    const row = page.getByRole('listitem').filter({ hasText: 'nightly' });
    const data = row.getByLabel('Data of your own');
    const save = () => row.getByRole('button', { name: 'Save' }).click();
    expect(JSON.parse(await data.inputValue())).toEqual(first);
    // Renaming keeps metadata that a program has added meanwhile.
    const [key] = (await list()).body.result as { key_id: string }[];
    const { key_id = '' } = key ?? {};
    const changes = { key_id, metadata: { team: 'programs' } };
    await (name === 'account'
      ? asAda.apiKeys.update(changes)
      : asAda.workspaceKeys.update({ workspace_id, ...changes }));
    await row.getByLabel('Name').fill('nightly build');
    await save();
    await says(opened, '{"team":"programs"}');
    expect(await stored()).toEqual({ team: 'programs' });
    await data.fill(large);
    await save();
    await says(opened, 'This is not valid.');
    await data.fill(JSON.stringify({ note: 'x'.repeat(1_900) }));
    await save();
    await says(opened, 'Saved.');
    await says(opened, /^\{"note":"x{191}…$/);
    await expectWellMade(opened, `key-metadata-${name}`);
    await data.fill('');
    await save();
    await expect.poll(stored).toBeUndefined();
    await expect.poll(() => row.locator('div code').count()).toBe(0);
    allow(opened, '400');
  },
);
