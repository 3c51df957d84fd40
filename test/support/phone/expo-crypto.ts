/** Of the package `expo-crypto` what the guide to mobile apps uses, in Node, which then lacks what React Native lacks. */
import { createHash, randomUUID as uuid, webcrypto } from 'node:crypto';

for (const name of ['crypto', 'DOMException', 'BroadcastChannel', 'localStorage', 'navigator'])
  Reflect.deleteProperty(globalThis, name);
Reflect.deleteProperty(AbortSignal, 'timeout');

// A phone has no process that waits for its timers.
const { setTimeout } = globalThis;
Object.assign(globalThis, {
  setTimeout: (...call: Parameters<typeof setTimeout>) => setTimeout(...call).unref(),
});

export const CryptoDigestAlgorithm = { SHA256: 'SHA-256' } as const;
export const CryptoEncoding = { BASE64: 'base64' } as const;

export const getRandomValues = <T extends Uint8Array | Uint32Array>(values: T): T =>
  webcrypto.getRandomValues(values);

export const randomUUID = (): string => uuid();

export const digestStringAsync = async (
  algorithm: string,
  text: string,
  { encoding }: { encoding: 'base64' },
): Promise<string> => createHash(algorithm).update(text).digest(encoding);
