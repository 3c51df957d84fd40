import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBRecord } from 'aws-lambda';
import { userSortKey } from '../db/key-prefixes.ts';

/**
 * Whether a write changed the number of a user's memberships and nothing else of the user. Nothing follows from that:
 * there is no event, version, term or deletion in it. A deleted workspace has one such record for each of its members.
 */
export function onlyCountsMemberships({ dynamodb }: DynamoDBRecord): boolean {
  const { Keys, OldImage, NewImage } = dynamodb ?? {};
  if (Keys?.['sk']?.S !== userSortKey || !OldImage || !NewImage) return false;
  const { workspace_count: was, ...before } = OldImage;
  const { workspace_count: is, ...after } = NewImage;
  return was?.N !== is?.N && isDeepStrictEqual(before, after);
}
