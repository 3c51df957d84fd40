import { Resolver } from 'node:dns/promises';
import { env } from '../../model/env.ts';
import { ApiError } from '../../model/errors.ts';
import type { DomainRecord } from './modes.ts';

/** Milliseconds for one query to one server. It is sent twice, and the second one has the same time. */
const timeout = 500;
/** Milliseconds for the whole lookup: the rest of the request's time is for the write. */
const maxTime = 1_500;

/** Resolver errors that mean that the record does not exist, or cannot exist. */
const noRecordCodes = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/**
 * True if DNS currently has the record, possibly among other TXT records of the name. Throws `temporarily_unavailable`
 * if no name server answers, or none gives a usable answer.
 */
export async function isPublished({ name, value }: DomainRecord): Promise<boolean> {
  const resolver = new Resolver({ timeout, tries: 2, maxTimeout: timeout });
  const servers = env.dnsServers();
  if (servers.length > 0) resolver.setServers(servers);
  const stop = setTimeout(() => resolver.cancel(), maxTime);
  try {
    const records = await resolver.resolveTxt(name);
    // A text longer than 255 bytes arrives in pieces (RFC 1035, section 3.3.14).
    return records.some((pieces) => pieces.join('') === value);
  } catch (cause) {
    if (noRecordCodes.has((cause as { code?: string }).code ?? '')) return false;
    throw new ApiError('temporarily_unavailable', { retryAfter: 5, cause });
  } finally {
    clearTimeout(stop);
  }
}
