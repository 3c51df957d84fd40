import * as z from 'zod';
import { line } from '../model/fields.ts';
import { isObject } from '../model/json-object.ts';
import { providerLimits } from '../model/provider-limits.ts';
import {
  isPresetName,
  isTenantId,
  ownerOfHost,
  type PresetName,
  presetNames,
  presetOf,
} from '../model/provider-presets.ts';
import { isOnThisMachine, redirectUri, secureUrl } from './urls.ts';

/** The settings of providers that people are redirected to, as an operator gives them. */

/** Where a browser goes with a one-time code after a sign-in at a provider. */
export const returnUrls = z.array(redirectUri).min(1).max(providerLimits.returnUrls);

/** Apple's ids of a team and of a key. */
const appleId = z.string().regex(/^[A-Z0-9]{10}$/, 'Must be 10 capital letters and digits');

const provider = z.strictObject({
  preset: z.enum(presetNames),
  client_id: line(255).min(1),
  issuer: secureUrl.exactOptional(),
  tenant: z
    .string()
    .refine(
      (text) => ['common', 'organizations', 'consumers'].includes(text) || isTenantId(text),
      'Must be common, organizations, consumers or the id of a tenant',
    )
    .exactOptional(),
  team_id: appleId.exactOptional(),
  key_id: appleId.exactOptional(),
  /** In addition to those of the preset. */
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/, 'Must be a scope without spaces'))
    .max(20)
    .exactOptional(),
  /** True: the tokens of the provider are kept, encrypted, for the user and the backend. */
  keep_tokens: z.boolean().exactOptional(),
  token_endpoint_auth_method: z
    .enum(['client_secret_post', 'client_secret_basic'], {
      error: 'Must be client_secret_post or client_secret_basic: the service has no other way',
    })
    .exactOptional(),
  /** False: its word on an e-mail never counts. */
  email_trusted: z.boolean().exactOptional(),
});
type ProviderInput = z.output<typeof provider>;

/** A provider that is called as a preset has it, and any other is of `oidc`, unless it says. */
const withPresets = (input: unknown): unknown => {
  if (!isObject(input)) return input;
  return Object.fromEntries(
    Object.entries(input).map(([name, each]) => [
      name,
      isObject(each) ? { preset: isPresetName(name) ? name : 'oidc', ...each } : each,
    ]),
  );
};

/** @param methodName the names that a provider may have */
export const signInProviders = (methodName: z.ZodString, error: z.core.$ZodErrorMap) =>
  z.preprocess(
    withPresets,
    z
      .record(methodName, provider, { error })
      .refine((all) => Object.keys(all).length <= providerLimits.providers, {
        error: `Must be at most ${providerLimits.providers} providers`,
      })
      .superRefine((all, context) => {
        for (const [name, each] of Object.entries(all))
          for (const [field, message] of problemsOf(name, each))
            context.addIssue({ code: 'custom', path: [name, field], message });
      }),
  );

/** The settings of one preset alone. */
const ownSettings = [
  { field: 'tenant', of: 'microsoft', required: false },
  { field: 'team_id', of: 'apple', required: true },
  { field: 'key_id', of: 'apple', required: true },
  { field: 'token_endpoint_auth_method', of: 'oidc', required: false },
] as const satisfies { field: keyof ProviderInput; of: PresetName; required: boolean }[];

/** What is wrong with a provider, by field. */
function problemsOf(name: string, input: ProviderInput): [keyof ProviderInput, string][] {
  const { preset, issuer } = input;
  const { installable, issuer: presetIssuer } = presetOf(preset);
  const owner = issuer === undefined ? undefined : ownerOfHost(issuer, preset);
  const problems: [keyof ProviderInput, string | false][] = [
    ['preset', isPresetName(name) && name !== preset && `Must be ${name}, as it is called`],
    ['issuer', issuer === undefined && presetIssuer === undefined && 'Must be set'],
    [
      'issuer',
      owner !== undefined && `Must not be that of the preset ${owner}, whose rules hold there`,
    ],
    [
      'issuer',
      issuer !== undefined &&
        !installable &&
        !isOnThisMachine(issuer) &&
        `Must be left out: there is one ${preset} (a stand-in on this machine may have one)`,
    ],
    ['issuer', issuer !== undefined && /[?#]/.test(issuer) && 'Must not contain ? or #'],
    ...ownSettings.map(({ field, of, required }): [keyof ProviderInput, string | false] => {
      const isSet = input[field] !== undefined;
      return preset === of
        ? [field, required && !isSet && 'Must be set']
        : [field, isSet && `Must be left out: it is a setting of ${of} alone`];
    }),
  ];
  return problems.flatMap(([field, problem]) => (problem ? [[field, problem]] : []));
}
