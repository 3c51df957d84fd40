import * as z from 'zod';
import { readJson, writeJson } from './file.ts';

/** The secrets that local projects have at identity providers, by `<project>/<provider>`. */
const keptSecrets = z.record(z.string(), z.string());

/** The file in a data folder that stores them. */
export const providerSecretsFile = 'provider-secrets.json';

export type ProviderSecrets = {
  /** The secret of this name; undefined if there is none. */
  get(name: string): Promise<string | undefined>;
  /** Undefined deletes it. */
  set(name: string, secret: string | undefined): Promise<void>;
};

/** Secrets in a file, which `npm run project:provider-secret` changes while the server runs; without one, in memory. */
export function providerSecretsIn(file: string | undefined): ProviderSecrets {
  let kept: Record<string, string> = {};
  const read = async () =>
    file === undefined ? kept : ((await readJson(file, keptSecrets)) ?? {});
  return {
    async get(name) {
      const all = await read();
      return Object.hasOwn(all, name) ? all[name] : undefined;
    },
    async set(name, secret) {
      const { [name]: _, ...others } = await read();
      const all = { ...others, ...(secret !== undefined && { [name]: secret }) };
      if (file === undefined) kept = all;
      else await writeJson(file, all);
    },
  };
}
