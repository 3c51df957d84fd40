/** Examples of the routes by which users join a workspace, in the form of examples.ts. */
import { ids, page, times } from './data.ts';

const { workspace: workspace_id, ada: owner_id, grace: user_id } = ids;
const { created_at } = times;
const user = {
  uid: user_id,
  email: 'grace@example.com',
  profile_url: '',
  preferred_username: 'grace',
  thumbnail_url: '',
  name: { given_name: 'Grace', family_name: 'Hopper', formatted: 'Grace Hopper' },
  display_name: 'Grace',
  verified: { email: true },
};
const member = {
  member_id: ids.member,
  workspace_id,
  email: user.email,
  inviter_id: owner_id,
  inviter_email: 'ada@example.com',
  status: 'accepted',
  role: 'member',
  created_at,
  modified_at: created_at,
  user_id,
};

const domain = {
  domain: 'example.com',
  mode: 'auto',
  proven_at: '2026-11-21T08:30:00.000Z',
  record: {
    type: 'TXT',
    name: '_identity-workspace.example.com',
    value: 'identity-workspace=Zk3w1FqVd0t8kq0cB6o1n3zC2m5f7h9jLrTyUiOpAsD',
  },
};

const request = {
  workspace_id,
  user_id,
  message: 'I am new in the team.',
  created_at,
};
const link = {
  link_id: 'lnk-0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a05',
  workspace_id,
  role: 'member',
  restrict_to_allowed_domains: false,
  use_count: 0,
  max_uses: 50,
  created_by: owner_id,
  created_at,
  expires_at: '2026-12-21T08:00:00.000Z',
};
const joinToken = `jl_${'A'.repeat(43)}.q3-9pMZVGX1r0B1cW0mZQ9gJw8o0uJm3l3xq1iYyS2A`;

export const joinExamples = {
  'domains.list': { response: page(domain) },
  'domains.set': { body: { mode: 'auto' }, response: domain },
  'domains.prove': { response: domain },
  'joinRequests.create': { body: { message: request.message }, response: request },
  'joinRequests.list': {
    response: page({ ...request, user }),
  },
  'joinRequests.approve': { body: { role: 'member' }, response: member },
  'joinRequests.delete': { response: request },
  'joinLinks.create': {
    body: { max_uses: 50 },
    response: {
      ...link,
      token: joinToken,
      url: `https://app.example.com/join?project_id=demo&workspace_id=${workspace_id}#join=${joinToken}`,
    },
  },
  'joinLinks.list': { response: page({ ...link, use_count: 7 }) },
  'joinLinks.revoke': { response: link },
};
