import type { UserExport } from '../../client/generated/api.ts';
import type { ProjectSummary } from '../../shared/operator/summary.ts';

/** A user and the settings of the project, which decide together what signs the user in. */
export type Account = { project: ProjectSummary; data: UserExport };
export type Lock = NonNullable<UserExport['locks']>[number];

/** Whether the user must add an app: a passkey is two factors, but only where the project accepts passkeys. */
export const lacksFactor = ({ project, data: { factors, passkeys } }: Account): boolean =>
  project.mfa === 'required' && !factors && !(project.passkeys && passkeys);

/** What helps a user whose password is locked. Nothing helps one who is disabled. */
export function helpWithPassword(account: Account, { until }: Lock): string {
  const { project, data } = account;
  const open = openMethods(account);
  return [
    ...(until === undefined ? ['Waiting does not help.'] : []),
    ...(project.password_sign_in && !data.user.disabled ? [newPassword(data)] : []),
    ...(open.length > 0 ? [`What still works: ${open.join(', ')}.`] : []),
  ].join(' ');
}

const newPassword = ({ mail_stopped }: UserExport): string =>
  mail_stopped
    ? 'A new password by mail would unlock it, but cannot be set while mail is stopped.'
    : 'A new password by mail unlocks it at once.';

/** What signs the user in beside the password, as the project is set now. */
function openMethods({ project, data }: Account): string[] {
  const { user, passkeys, identities, mail_stopped } = data;
  if (user.disabled) return [];
  const getsMail = user.email !== '' && !mail_stopped;
  return [
    ...(getsMail && project.code_sign_in ? ['codes by mail'] : []),
    ...(getsMail && project.link_sign_in ? ['links by mail'] : []),
    ...(project.passkeys && passkeys ? ['passkeys'] : []),
    ...identities
      .filter((each) => isAccepted(project, each))
      .map(({ provider }) => `accounts at ${provider}`),
  ];
}

/** Of Microsoft: tenants whose accounts have the issuers of others. */
const manyTenants = ['common', 'organizations'];

/**
 * Whether the project still has the provider of an account, at the same issuer: else it signs nobody in. Where the
 * settings state no issuer, it is that of the preset, which the name says. With Microsoft's tenant `consumers`, none is
 * accepted: the page does not know the id that their issuer has.
 */
function isAccepted(
  { identity_providers = {}, sign_in_providers = {} }: ProjectSummary,
  { provider, issuer }: UserExport['identities'][number],
): boolean {
  const byToken = new Map(Object.entries(identity_providers)).get(provider);
  if (byToken?.issuer === issuer) return true;
  const byRedirect = new Map(Object.entries(sign_in_providers)).get(provider);
  if (!byRedirect) return false;
  const { issuer: base = issuer, tenant = 'common' } = byRedirect;
  return byRedirect.preset === 'microsoft' && !manyTenants.includes(tenant)
    ? issuer.includes(`/${tenant}/`)
    : issuer === base;
}
