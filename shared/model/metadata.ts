import * as z from 'zod';
import { limits } from './limits.ts';

/** A JSON object of the customer's own. The service reads in it only what a project puts into its tokens. */
export type Metadata = Record<string, unknown>;

/** Bytes of the object as JSON without spaces, in UTF-8. */
export const metadataSize = (metadata: Metadata): number =>
  Buffer.byteLength(JSON.stringify(metadata));

/** Levels of objects and arrays, the outermost included. A body has 32 at most, which bounds the recursion. */
export function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  // Not the arguments of one call: the stack does not hold those of a long array.
  return (
    1 + Object.values(value).reduce<number>((deepest, each) => Math.max(deepest, depthOf(each)), 0)
  );
}

export const tooLarge = (bytes: number): string => `Must not exceed ${bytes} bytes as JSON`;
export const tooDeep = `Must not be nested deeper than ${limits.metadataDepth} levels`;

/** An object as a request gives it. No name is longer than the object may be, which the document says. */
const object = (bytes: number) =>
  z
    .record(z.string().meta({ maxLength: bytes }), z.unknown())
    .refine((value) => metadataSize(value) <= bytes, { error: tooLarge(bytes), abort: true })
    .refine((value) => depthOf(value) <= limits.metadataDepth, tooDeep);

const { metadata: bytes, memberMetadata: memberBytes, apiKeyMetadata: keyBytes } = limits;
const replaced = 'Replaces the object; {} clears it.';
const merged = 'Merged into the object (RFC 7396): null removes a field, or the whole object.';
const replacing = (max: number) => object(max).optional().meta({ description: replaced });
const merging = (max: number) => object(max).nullable().optional().meta({ description: merged });

/** The metadata of a new user. */
export const newUserMetadata = {
  user_metadata: object(bytes).optional().meta({
    description: 'Your own data, which the user reads and writes too.',
  }),
  app_metadata: object(bytes).optional().meta({
    description: 'Your own data, which the user reads.',
  }),
  private_metadata: object(bytes).optional().meta({
    description: 'Your own data, which only the backend reads.',
  }),
};

/** The metadata of a new workspace. */
export const newWorkspaceMetadata = {
  app_metadata: object(bytes).optional().meta({
    description: 'Your own data, which owner and admins read. Backend only.',
  }),
  private_metadata: object(bytes).optional().meta({
    description: 'Your own data, which only the backend reads. Backend only.',
  }),
};

/** Requires one object of several. */
const withAny = <S extends z.ZodRawShape>(shape: S) =>
  z
    .strictObject(shape)
    .refine((body) => Object.keys(body).length > 0, 'Must contain at least one object')
    .meta({ minProperties: 1 });

const replacingBoth = { app_metadata: replacing(bytes), private_metadata: replacing(bytes) };
const mergingBoth = { app_metadata: merging(bytes), private_metadata: merging(bytes) };

/** Bodies that replace objects, and bodies that are merged into them. */
export const replaceMetadata = {
  user: withAny({ user_metadata: replacing(bytes), ...replacingBoth }),
  workspace: withAny(replacingBoth),
  member: z.strictObject({ app_metadata: object(memberBytes).meta({ description: replaced }) }),
};
export const mergeMetadata = {
  user: withAny({ user_metadata: merging(bytes), ...mergingBoth }),
  workspace: withAny(mergingBoth),
  member: z.strictObject({
    app_metadata: object(memberBytes).nullable().meta({ description: merged }),
  }),
};

/** The metadata of an API key, as a new key and a change of it give it. */
export const keyMetadata = {
  initial: object(keyBytes).optional().meta({
    description: 'Your own data. Those who manage the key read and write it.',
  }),
  replacing: replacing(keyBytes),
};

/** An object in a response. */
export const metadata = z.record(z.string(), z.unknown());

const description = 'What is not set is absent.';
const private_metadata = metadata.optional().meta({ description: 'Only for the backend.' });

export const userMetadata = z
  .object({
    user_metadata: metadata.optional(),
    app_metadata: metadata.optional(),
    private_metadata,
  })
  .meta({ id: 'UserMetadata', description });
export const workspaceMetadata = z
  .object({ app_metadata: metadata.optional(), private_metadata })
  .meta({ id: 'WorkspaceMetadata', description });
