import * as z from 'zod';
import { emailDomain } from '../model/email.ts';
import { domainMode, paged, timestamp, workspaceId } from '../model/fields.ts';
import { group } from './route.ts';

const domain = z
  .object({
    domain: z.string(),
    mode: domainMode,
    proven_at: timestamp.optional(),
    record: z
      .object({ type: z.literal('TXT'), name: z.string(), value: z.string() })
      .meta({ description: 'The DNS record that verifies the domain.' }),
  })
  .meta({ id: 'Domain' });
export type Domain = z.output<typeof domain>;

const inWorkspace = z.strictObject({ workspace_id: workspaceId });
const ofWorkspace = z.strictObject({ workspace_id: workspaceId, domain: emailDomain });

export const domains = group('domains', {
  list: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/allowed_domains',
    summary: 'The domains that a workspace allows or has verified, each with its mode.',
    auth: ['project', 'access'],
    params: inWorkspace,
    response: paged(domain),
    errors: ['not_found', 'forbidden'],
  },
  set: {
    method: 'PUT',
    path: '/workspaces/{workspace_id}/allowed_domains/{domain}',
    summary: 'Set how users with a verified e-mail in a domain may join.',
    auth: ['project', 'access'],
    params: ofWorkspace,
    body: z.strictObject({ mode: domainMode }),
    response: domain,
    errors: ['not_found', 'forbidden', 'domain_not_proven'],
  },
  prove: {
    method: 'POST',
    path: '/workspaces/{workspace_id}/allowed_domains/{domain}/proof',
    summary: 'Verify a domain: the service looks up its DNS record now.',
    auth: ['project', 'access'],
    params: ofWorkspace,
    response: domain,
    errors: ['not_found', 'forbidden', 'domain_not_proven'],
  },
});
