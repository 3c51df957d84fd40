import { canonicalJson } from '../model/canonical-json.ts';
import { sha256 } from '../model/ids.ts';

/** An event in its log: each entry holds the hash of the one before it. */
export type ChainLink = {
  /** Counts the events of one workspace, or of one user, from 1 without a gap. */
  number: number;
  event: unknown;
  /** Empty in the first entry. */
  previous_hash: string;
};

/** SHA-256, base64url, over the canonical JSON of the entry: of its number, its event and the hash before. */
export const chainHash = ({ number, event, previous_hash }: ChainLink): string =>
  sha256(canonicalJson({ number, event, previous_hash }));
