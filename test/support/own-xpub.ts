import { randomBytes } from 'node:crypto';
import { HDKey } from '@scure/bip32';

/** A random extended public key, new in each process, as an operator would have: its private keys are not public. */
export const ownXpub: string = HDKey.fromMasterSeed(randomBytes(32)).derive(
  "m/44'/60'/0'",
).publicExtendedKey;
