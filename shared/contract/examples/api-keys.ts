import { ids, page, times } from './data.ts';

/** Examples of the routes of API keys, in the form of examples.ts. */

const key_id = 'key-0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a07';
const { created_at } = times;
const expires_at = '2027-11-21T08:00:00.000Z';
const metadata = { repository: 'web' };
const permissions = ['workspace:read'];
const ofUser = { key_id, name: 'CI', permissions, metadata, created_at, expires_at };
const ofWorkspace = { key_id, name: 'Import', role: 'admin', created_by: ids.ada, created_at };
const key = `wuk_${'A'.repeat(86)}Zk3w1F`;
const revoked = { key_id, revoked_at: '2026-11-21T09:00:00.000Z' };
const again = { previous_expires_at: '2026-11-22T08:00:00.000Z' };

export const apiKeyExamples = {
  'apiKeys.create': {
    body: { name: 'CI', permissions, metadata, expires_in: 31_536_000 },
    response: { ...ofUser, key },
  },
  'apiKeys.list': { response: page({ ...ofUser, last_used_on: '2026-11-21' }) },
  'apiKeys.update': { body: { name: 'CI', metadata }, response: ofUser },
  'apiKeys.revoke': { response: revoked },
  'apiKeys.rotate': { body: { overlap: 86_400 }, response: { ...ofUser, ...again, key } },
  'apiKeys.listOfUser': { response: page({ ...ofUser, last_used_on: '2026-11-21' }) },
  'apiKeys.revokeOfUser': { response: revoked },
  'apiKeys.verify': {
    body: { key },
    response: { valid: true, key_id, name: 'CI', uid: ids.ada, permissions, metadata },
  },
  'workspaceKeys.create': {
    body: { name: 'Import', role: 'admin' },
    response: { ...ofWorkspace, key: key.replace('wuk_', 'wwk_') },
  },
  'workspaceKeys.list': { response: page(ofWorkspace) },
  'workspaceKeys.update': { body: { name: 'Import' }, response: ofWorkspace },
  'workspaceKeys.revoke': { response: revoked },
  'workspaceKeys.rotate': {
    body: {},
    response: { ...ofWorkspace, ...again, key: key.replace('wuk_', 'wwk_') },
  },
};
