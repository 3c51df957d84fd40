import { isDeepStrictEqual } from 'node:util';
import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { prefixes, userSortKey, workspaceSortKey } from '../db/key-prefixes.ts';

/**
 * Attributes of an item of whose change nothing follows: no event, version, term or deletion is in it. Nor is in the
 * `write_id` that `updateItem` leaves.
 */
const attributes: readonly [is: (sk: string) => boolean, names: readonly string[]][] = [
  // A deleted workspace changes it for each of its members.
  [(sk) => sk === userSortKey, ['workspace_count']],
  // A changed profile changes the copies in each workspace that its user owns, or is invited to. Those of members are
  // not among them: a member is found by what is in the copy.
  [(sk) => sk === workspaceSortKey, ['owner_email', 'owner_version']],
  [(sk) => sk.startsWith(prefixes.pending), ['profile', 'profile_version']],
];

/** Whether a write changed only such attributes of an item, so that nothing follows from it. */
export function isInconsequential({ dynamodb }: DynamoDBRecord): boolean {
  const { Keys, OldImage, NewImage } = dynamodb ?? {};
  const sk = Keys?.['sk']?.S ?? '';
  const [, names] = attributes.find(([is]) => is(sk)) ?? [];
  if (!names || !OldImage || !NewImage) return false;
  const rest = (image: Record<string, AttributeValue>) =>
    Object.fromEntries(
      Object.entries(image).filter(([name]) => name !== 'write_id' && !names.includes(name)),
    );
  // Where nothing changed at all, the record is one that was made to have its item followed up again.
  return (
    !isDeepStrictEqual(OldImage, NewImage) && isDeepStrictEqual(rest(OldImage), rest(NewImage))
  );
}
