/** The users and resources in the examples of the routes. */

export const ids = {
  ada: '0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a01',
  grace: '0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a04',
  workspace: 'wid-0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a02',
  session: '7d3a1f4e-8c55-4f0e-9a53-0b6f5b1f2c11',
  member: 'mid-0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a03',
};
export const times = {
  created_at: '2026-11-21T08:00:00.000Z',
  modified_at: '2026-11-21T08:00:00.000Z',
};

export const ada = {
  uid: ids.ada,
  project_id: 'demo',
  email: 'ada@example.com',
  profile_url: '',
  preferred_username: 'ada',
  thumbnail_url: 'https://example.com/ada.png',
  name: { given_name: 'Ada', family_name: 'Lovelace', formatted: 'Ada Lovelace' },
  display_name: 'Ada',
  about_me: '',
  current_location: 'London',
  verified: { email: true },
  address: '0x93C196C7944c72b1F85862e0A827b119bFB28673',
  wallet: { address: '0x93C196C7944c72b1F85862e0A827b119bFB28673', type: 'service' },
  photos: [],
  urls: [{ value: 'https://example.com/ada', type: 'home', primary: true }],
  ...times,
};
export const { display_name, ...nameless } = ada;

export const metadata = {
  user_metadata: { theme: 'dark' },
  app_metadata: { plan: 'team', seats: 5 },
};

export const workspace = {
  workspace_id: ids.workspace,
  project_id: 'demo',
  name: 'Engines',
  invitation_url: `https://app.example.com/join?project_id=demo&workspace_id=${ids.workspace}`,
  logo_url: 'https://example.com/engines.png',
  owner_id: ids.ada,
  owner_email: 'ada@example.com',
  allowed_domains: ['example.com'],
  description: 'Analytical ones',
  total_member_count: 1,
  ...times,
};
export const { allowed_domains, owner_email, logo_url, ...remains } = workspace;

export const grace = {
  member_id: ids.member,
  workspace_id: ids.workspace,
  email: 'grace@example.com',
  inviter_id: ids.ada,
  inviter_email: 'ada@example.com',
  status: 'accepted',
  role: 'member',
  user_id: ids.grace,
  ...times,
};

export const invited = {
  ...grace,
  status: 'pending',
  state: 'pending',
  expires_at: '2026-11-28T08:00:00.000Z',
  message: 'Join us',
};
export const invitationToken = `AZLwwXwefMKwrCobj29aAgGS8MF8HnzCsKwqG49vWgQ.q3-9pMZVGX1r0B1cW0mZQ9gJw8o0uJm3l3xq1iYyS2A`;
export const invitationLink = `${workspace.invitation_url}#token=${invitationToken}`;

export const invitationRows = {
  dry_run: false,
  invited: 1,
  results: [
    {
      ...({ email: 'grace@example.com', role: 'member', outcome: 'invited' } as const),
      invitation: { ...invited, link: invitationLink },
    },
    { email: 'ada@example.com', role: 'admin', outcome: 'already_member' },
  ],
};

export const session = {
  access_token: 'eyJhbGciOiJSUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIwMTkyZjBjMSJ9.c2lnbmF0dXJl',
  refresh_token: 'rt_AZLwwXwefMKwrCobj29aAQ.bWFj',
  uid: ids.ada,
  user: ada,
  user_created: false,
};

export const listed = {
  session_id: ids.session,
  method: 'idpw',
  created_at: times.created_at,
  last_refreshed_at: times.created_at,
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  address: '192.0.2.0/24',
  current: true,
};
export const ended = { session_id: ids.session, ended_at: '2026-11-21T09:00:00.000Z' };
export const receipt = { uid: ids.ada, project_id: 'demo', deleted_at: '2026-11-21T09:00:00.000Z' };
export const who = { project_id: 'demo', email: 'ada@example.com' };
export const password = 'correct horse battery staple';
export const token = 'q3-9pMZVGX1r0B1cW0mZQ9gJw8o0uJm3l3xq1iYyS2A';
export const newcomer = { display_name: 'Ada', agreed_terms: { tos: true } };

export const memberJoined = {
  id: 'evt-0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a06',
  type: 'workspace.member.joined',
  time: times.created_at,
  project_id: 'demo',
  workspace_id: ids.workspace,
  actor: { kind: 'user', id: ids.grace },
  data: { user_id: ids.grace, member_id: ids.member, role: 'member', via: 'invitation' },
};
export const eventPage = { count: 1, next_cursor: '7', more: false };

export const webhook = {
  webhook_id: 'whk-0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a05',
  url: 'https://example.com/webhooks',
  event_types: ['workspace.member.joined', 'workspace.member.left'],
  description: 'Billing',
  disabled: false,
  ...times,
};
export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwjmiIXCIqKbk=';

export const page = <T>(element: T) => ({ total: 1, count: 1, result: [element] });
