import { BlockList, isIPv6 } from 'node:net';
import * as z from 'zod';
import { line, projectId } from '../model/fields.ts';
import { lifetimes, limits } from '../model/limits.ts';
import { secretScopes } from '../model/scopes.ts';

/** The requests about the secrets of a project. */

const secretId = z
  .string()
  .regex(/^[0-9a-f]{8}$/, 'Must be 8 hexadecimal digits, as shown by list-secrets');

const ofSecret = { project_id: projectId, secret_id: secretId };
const name = line(limits.name).min(1);

/** IPv4 addresses written as IPv6 (RFC 4291, section 2.5.5.2). Requests come from the plain ones. */
const mapped = new BlockList();
mapped.addSubnet('::ffff:0:0', 96, 'ipv6');

function isMapped(cidr: string): boolean {
  const [network = ''] = cidr.split('/');
  return isIPv6(network) && mapped.check(network, 'ipv6');
}

/** Without either, a secret may do everything from everywhere. */
const limitedTo = {
  scopes: z
    .array(z.enum(secretScopes, `Must be one of ${secretScopes.join(', ')}`))
    .min(1)
    .max(secretScopes.length)
    .overwrite((scopes) => [...new Set(scopes)]),
  source_cidrs: z
    .array(
      z
        .union(
          [z.cidrv4(), z.cidrv6()],
          'Must be a block of addresses such as 203.0.113.0/24 or 2001:db8::/32',
        )
        .refine((cidr) => !isMapped(cidr), 'Must be written as a block of IPv4 addresses'),
    )
    .min(1)
    .max(limits.sourceCidrsPerSecret),
};

export const secretRequests = [
  z.strictObject({
    action: z.literal('rotate-key'),
    project_id: projectId,
    keep: z
      .int()
      .min(0)
      .max(limits.liveSecretsPerProject - 1)
      .exactOptional(),
  }),
  z.strictObject({
    action: z.literal('create-secret'),
    project_id: projectId,
    name: name.exactOptional(),
    // Seconds.
    expires_in: z.int().min(60).max(lifetimes.maxSecret).exactOptional(),
    scopes: limitedTo.scopes.exactOptional(),
    source_cidrs: limitedTo.source_cidrs.exactOptional(),
  }),
  z.strictObject({
    action: z.literal('update-secret'),
    ...ofSecret,
    name: name.exactOptional(),
    // Null ends the limit. A list replaces the previous one.
    scopes: limitedTo.scopes.nullable().exactOptional(),
    source_cidrs: limitedTo.source_cidrs.nullable().exactOptional(),
  }),
  z.strictObject({ action: z.literal('list-secrets'), project_id: projectId }),
  z.strictObject({ action: z.literal('revoke-secret'), ...ofSecret }),
] as const;
