import { expect, test } from 'vitest';
import { isMailboxProvider } from '#shared/workspaces/domains/mailbox-providers.ts';
import {
  domainModes,
  domainRecord,
  domainsOf,
  isProven,
  modeOf,
} from '#shared/workspaces/domains/modes.ts';
import type { WorkspaceItem } from '#shared/workspaces/items.ts';

const of = (given: Partial<WorkspaceItem>) => ({ allowed_domains: [], ...given }) as WorkspaceItem;

test('an allowed domain admits automatically unless its mode says otherwise; another domain is off', () => {
  const workspace = of({
    allowed_domains: ['a.com', 'b.com', 'c.com'],
    domain_modes: { 'b.com': 'suggest', 'c.com': 'auto', 'gone.com': 'auto' },
    proven_domains: { 'z.com': '2026', 'a.com': '2026', 'y.com': '2026' },
  });
  const modes = ['a.com', 'b.com', 'c.com', 'gone.com'].map((domain) => modeOf(workspace, domain));
  expect(modes).toEqual(['auto', 'suggest', 'auto', 'off']);
  expect([...domainModes(workspace)]).toEqual([
    ['a.com', 'auto'],
    ['b.com', 'suggest'],
    ['c.com', 'auto'],
  ]);
  expect(domainsOf(workspace)).toEqual(['a.com', 'b.com', 'c.com', 'y.com', 'z.com']);
  expect(['a.com', 'b.com'].map((domain) => isProven(workspace, domain))).toEqual([true, false]);
});

test('the record differs for another project, workspace or domain', () => {
  const ids = { project_id: 'demo', workspace_id: 'wid-1' };
  const record = domainRecord(ids, 'example.com');
  expect(record).toEqual({
    type: 'TXT',
    name: '_identity-workspace.example.com',
    value: expect.stringMatching(/^identity-workspace=[\w-]{43}$/),
  });
  const others = [
    domainRecord({ ...ids, project_id: 'demo2' }, 'example.com'),
    domainRecord({ ...ids, workspace_id: 'wid-2' }, 'example.com'),
    domainRecord(ids, 'x.example.com'),
  ];
  expect(new Set([record, ...others].map(({ value }) => value)).size).toBe(4);
});

test('the big mailbox providers are known by their exact names', () => {
  for (const domain of ['gmail.com', 'outlook.com', 'yahoo.co.uk', 'proton.me', 'gmx.de', 'qq.com'])
    expect(isMailboxProvider(domain)).toBe(true);
  for (const domain of ['example.com', 'mail.gmail.com', 'gmail.co', '', 'google.com'])
    expect(isMailboxProvider(domain)).toBe(false);
});
