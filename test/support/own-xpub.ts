import { randomBytes } from 'node:crypto';
import { HDKey } from '@scure/bip32';

/** An extended public key as an operator has one: nobody else knows its private keys. Another one in each process. */
export const ownXpub: string = HDKey.fromMasterSeed(randomBytes(32)).derive(
  "m/44'/60'/0'",
).publicExtendedKey;
