import { canonicalJson } from '../model/canonical-json.ts';
import { sha256 } from '../model/ids.ts';

/** An entry of a log. Each entry contains the hash of the one before it. */
export type ChainLink = {
  /** Numbers the events of one workspace or one user from 1, without gaps. */
  number: number;
  event: unknown;
  /** Empty in the first entry. */
  previous_hash: string;
};

/** SHA-256 in base64url of the entry's canonical JSON: its number, its event and the hash before it. */
export const chainHash = ({ number, event, previous_hash }: ChainLink): string =>
  sha256(canonicalJson({ number, event, previous_hash }));
