import type { Operation } from '../api.ts';
import { apiKeyExamples } from './api-keys.ts';
import {
  ada,
  allowed_domains,
  ended,
  eventPage,
  grace,
  ids,
  invitationLink,
  invitationToken,
  invited,
  logo_url,
  memberJoined,
  metadata,
  owner_email,
  page,
  remains,
  secret,
  session,
  webhook,
  workspace,
} from './data.ts';
import { identityExamples } from './identities.ts';
import { joinExamples } from './joining.ts';
import { oauthExamples, provider } from './oauth.ts';
import { roleExamples } from './roles.ts';

/** One request and response of every route, for the documentation; a test validates them against the contract. */

export const examples: Record<Operation, { body?: unknown; response: unknown }> = {
  ...identityExamples,
  ...apiKeyExamples,
  ...roleExamples,
  'workspaces.create': {
    body: { name: 'Engines', owner_id: ids.ada, description: 'Analytical ones' },
    response: workspace,
  },
  'workspaces.list': { response: page(workspace) },
  'workspaces.get': { response: workspace },
  'workspaces.update': {
    body: { logo: 'https://example.com/engines.png', name: 'Engines' },
    response: workspace,
  },
  'workspaces.getMetadata': { response: { app_metadata: metadata.app_metadata } },
  'workspaces.setMetadata': {
    body: { app_metadata: { plan: 'team', seats: 5 } },
    response: { app_metadata: metadata.app_metadata },
  },
  'workspaces.mergeMetadata': {
    body: { app_metadata: { seats: 5 }, private_metadata: null },
    response: { app_metadata: metadata.app_metadata },
  },
  'workspaces.delete': {
    response: {
      ...remains,
      allowed_domain: allowed_domains,
      deleted_at: '2026-11-21T09:00:00.000Z',
    },
  },
  'workspaces.restore': { response: workspace },
  'workspaces.setAllowedDomains': { body: { allowed_domains }, response: workspace },
  'workspaces.listJoined': { response: [workspace] },
  'workspaces.listInvited': {
    response: {
      invited_workspaces: [{ ...workspace, inviter_email: owner_email }],
      same_domain_workspaces: [
        {
          workspace_id: ids.workspace,
          project_id: 'demo',
          name: 'Engines',
          logo_url,
          total_member_count: 1,
          domain: 'example.com',
          mode: 'suggest',
        },
      ],
      requested_workspaces: [],
    },
  },
  ...joinExamples,
  ...oauthExamples,
  'members.join': {
    body: { workspace_id: ids.workspace, user_id: ids.grace },
    response: grace,
  },
  'members.add': { body: { user_id: ids.grace, role: 'member' }, response: grace },
  'members.list': { response: page({ ...ada, role: 'admin', member_id: ids.member }) },
  'members.changeRole': { body: { role: 'admin' }, response: { ...ada, role: 'admin' } },
  'members.get': { response: grace },
  'members.remove': { response: grace },
  'members.suspend': { body: { suspended: true }, response: { ...grace, suspended: true } },
  'members.setMetadata': {
    body: { app_metadata: { cost_center: 17 } },
    response: { ...grace, app_metadata: { cost_center: 17 } },
  },
  'members.mergeMetadata': {
    body: { app_metadata: { cost_center: 17, desk: null } },
    response: { ...grace, app_metadata: { cost_center: 17 } },
  },
  'invitations.create': {
    body: { email: 'grace@example.com', role: 'member', message: 'Join us' },
    response: { ...invited, link: invitationLink },
  },
  'invitations.list': { response: page(invited) },
  'invitations.resend': { response: { ...invited, link: invitationLink } },
  'invitations.end': { response: invited },
  'invitations.endByEmail': { response: invited },
  'invitations.accept': { body: { token: invitationToken }, response: grace },
  'ownership.offer': {
    body: { user_id: ids.grace },
    response: { ...workspace, ownership_offered_to: ids.grace },
  },
  'ownership.accept': {
    response: { ...workspace, owner_id: ids.grace, owner_email: 'grace@example.com' },
  },
  'ownership.end': { response: workspace },
  'events.list': { response: { ...eventPage, result: [memberJoined] } },
  'events.listOfWorkspace': {
    response: {
      ...eventPage,
      result: [
        {
          number: 7,
          event: memberJoined,
          previous_hash: 'fGq7o1TPbWQeGk1b8nE0jx5d3Zc9mYvUo6s2KqfR4Aw',
          hash: 'q2mXbV0nYc1sT8rJ5uKpLz7dWf3gHe6iOa9tQyRvB4E',
        },
      ],
    },
  },
  'stats.get': {
    response: {
      counted_since: '2026-11-21T07:00:00.000Z',
      totals: { users: 1204, workspaces: 310, members: 2980 },
      days: [
        {
          date: '2026-11-21',
          new_users: 12,
          active_users: 431,
          sign_ins: { idpw: 205, email_code: 31, google: 118 },
          sign_in_failures: { idpw: 14 },
          lockouts: 0,
          invitations_created: 9,
          invitations_accepted: 6,
        },
      ],
      months: [{ month: '2026-11', active_users: 431 }],
    },
  },
  'webhooks.create': {
    body: { url: webhook.url, event_types: webhook.event_types, description: 'Billing' },
    response: { ...webhook, secret },
  },
  'webhooks.list': { response: page(webhook) },
  'webhooks.get': { response: webhook },
  'webhooks.update': { body: { disabled: false }, response: webhook },
  'webhooks.delete': { response: webhook },
  'webhooks.rotateSecret': { response: { ...webhook, secret } },
  'webhooks.listAttempts': {
    response: {
      count: 1,
      result: [
        {
          event_id: 'evt-0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a06',
          type: 'workspace.member.joined',
          attempt: 1,
          attempted_at: '2026-11-21T09:00:00.000Z',
          status_code: 503,
          next_attempt_at: '2026-11-21T09:00:05.000Z',
        },
      ],
    },
  },
  'webhooks.redeliver': {
    body: { since: '2026-11-20T00:00:00.000Z', until: '2026-11-21T00:00:00.000Z' },
    response: webhook,
  },
  'projects.get': {
    response: {
      project_id: 'demo',
      name: 'Acme',
      branding: { color: '#0055ff', links: { home: 'https://example.com/' } },
      sign_up: true,
      workspace_creation: 'verified',
      workspace_roles: true,
      methods: {
        password: true,
        passkey: true,
        code: true,
        link: true,
        identity_providers: [
          {
            name: 'google',
            issuer: 'https://accounts.google.com',
            client_ids: ['web.example'],
            authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
          },
        ],
        sign_in_providers: [{ name: 'github', preset: 'github' }],
      },
      mfa: 'optional',
      min_password_length: 15,
    },
  },
  'browserSessions.keep': { response: { expires_in: 7_776_000 } },
  'browserSessions.refresh': {
    response: { access_token: session.access_token, expires_in: 600, uid: ids.ada, user: ada },
  },
  'browserSessions.end': { response: { ended_at: ended.ended_at } },
  'discovery.jwks': {
    response: {
      keys: [{ kty: 'RSA', use: 'sig', alg: 'RS256', kid: '2026-11-21', n: 'u1SU1LfV', e: 'AQAB' }],
    },
  },
  'discovery.openidConfiguration': { response: provider },
  'discovery.oauthAuthorizationServer': { response: provider },
  'docs.openapi': { response: { openapi: '3.1.1' } },
  'docs.home': { response: 'See /docs' },
  'docs.page': { response: '<!doctype html>' },
  'docs.asset': { response: '' },
  'pages.page': { response: '<!doctype html>' },
  'pages.asset': { response: '' },
};
