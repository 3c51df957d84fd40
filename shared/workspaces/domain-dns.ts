import { Resolver } from 'node:dns/promises';
import { env } from '../model/env.ts';
import { ApiError } from '../model/errors.ts';
import type { DomainRecord } from './domain-modes.ts';

/** Milliseconds for one question to one server; it is asked twice, the second time for as long again. */
const timeout = 500;
/** Milliseconds for all of it: what is left of a request's time must do for the write. */
const maxTime = 1_500;

/** What a name server says where there is no such record, or can be none. */
const noRecordCodes = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/**
 * Whether DNS has the record now, among whatever others of its name. Throws `temporarily_unavailable` where no name
 * server answers, or none that could know.
 */
export async function isPublished({ name, value }: DomainRecord): Promise<boolean> {
  const resolver = new Resolver({ timeout, tries: 2, maxTimeout: timeout });
  const servers = env.dnsServers();
  if (servers.length > 0) resolver.setServers(servers);
  const stop = setTimeout(() => resolver.cancel(), maxTime);
  try {
    const records = await resolver.resolveTxt(name);
    // A text longer than 255 bytes comes in pieces (RFC 1035 section 3.3.14).
    return records.some((pieces) => pieces.join('') === value);
  } catch (cause) {
    if (noRecordCodes.has((cause as { code?: string }).code ?? '')) return false;
    throw new ApiError('temporarily_unavailable', { retryAfter: 5, cause });
  } finally {
    clearTimeout(stop);
  }
}
