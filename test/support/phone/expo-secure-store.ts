/** Of the package `expo-secure-store` what the guide to mobile apps uses: a file, which outlasts the process. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

export const AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY = 1;
type Options = { keychainAccessible: number };

const fileOf = (key: string, { keychainAccessible }: Options) =>
  `secure-${keychainAccessible}-${key}`;

export function getItem(key: string, options: Options): string | null {
  const file = fileOf(key, options);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

export const setItem = (key: string, value: string, options: Options): void =>
  writeFileSync(fileOf(key, options), value);
