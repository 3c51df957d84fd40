import type { UserExport } from '../../client/generated/api.ts';
import { hasAccountsOf } from '../../shared/model/provider-presets.ts';
import type { ProjectSummary } from '../../shared/operator/summary.ts';

/** A user and the settings of the project, which decide together what signs the user in. */
export type Account = { project: ProjectSummary; data: UserExport };
export type Lock = NonNullable<UserExport['locks']>[number];

/** The locks that a sign-in meets: where the project has turned passwords or the second factor off, none asks for it. */
export const locksOf = ({ project, data: { locks = [] } }: Account): Lock[] =>
  locks.filter(({ credential }) =>
    credential === 'password' ? project.password_sign_in : (project.mfa ?? 'off') !== 'off',
  );

/** Whether the user must add an app: a passkey is two factors, but only where the project accepts passkeys. */
export const lacksFactor = ({ project, data: { factors, passkeys } }: Account): boolean =>
  project.mfa === 'required' && !factors && !(project.passkeys && passkeys);

/** What helps a user whose password is locked. Nothing helps one who is disabled. */
export function helpWithPassword(account: Account, { until }: Lock): string {
  const { data } = account;
  const open = openMethods(account);
  return [
    ...(until === undefined ? ['Waiting does not help.'] : []),
    ...(takesPassword(account) && !data.user.disabled ? [newPassword(data)] : []),
    ...(open.length > 0 ? [`What still works: ${open.join(', ')}.`] : []),
  ].join(' ');
}

const newPassword = ({ mail_stopped }: UserExport): string =>
  mail_stopped
    ? 'A new password by mail would unlock it, but cannot be set while mail is stopped.'
    : 'A new password by mail unlocks it at once.';

/** What helps a user whose authenticator app is locked. */
export function helpWithApp({ data: { user, factors = [] } }: Account, { until }: Lock): string {
  const waiting = until === undefined ? 'Waiting does not help. ' : '';
  if (user.disabled) return waiting.trim();
  if (!factors.some(({ recovery_codes_left }) => recovery_codes_left > 0))
    return `${waiting}No recovery code is left: reset the second factor.`;
  return waiting
    ? `${waiting}A recovery code unlocks it. If the user has lost theirs, reset the second factor.`
    : 'Recovery codes still work.';
}

/** Whether anything that the user has signs them in, as the project is set now; a password can be set by mail. */
export const hasMethod = (account: Account): boolean =>
  openMethods(account).length > 0 ||
  (takesPassword(account) && (!!account.data.password || !account.data.mail_stopped));

/** Whether a password signs the user in: it is sent with an e-mail. */
const takesPassword = ({ project, data }: Account): boolean =>
  project.password_sign_in === true && data.user.email !== '';

const getsMail = ({ user, mail_stopped }: UserExport): boolean =>
  user.email !== '' && !mail_stopped;

/**
 * What signs the user in beside the password, as the project is set now. An export does not say of which domain a
 * passkey is: one of a former `rp_id` counts here, and signs nobody in.
 */
function openMethods({ project, data }: Account): string[] {
  const { user, passkeys, identities } = data;
  if (user.disabled) return [];
  return [
    ...(getsMail(data) && project.code_sign_in ? ['codes by mail'] : []),
    ...(getsMail(data) && project.link_sign_in ? ['links by mail'] : []),
    ...(project.passkeys && passkeys ? ['passkeys'] : []),
    ...identities
      .filter((each) => isAccepted(project, each))
      .map(({ provider }) => `accounts at ${provider}`),
  ];
}

/** Whether the project still has the provider of an account, at the same issuer: else it signs nobody in. */
function isAccepted(
  { identity_providers = {}, sign_in_providers = {} }: ProjectSummary,
  { provider, issuer }: UserExport['identities'][number],
): boolean {
  const byToken = new Map(Object.entries(identity_providers)).get(provider);
  const byRedirect = new Map(Object.entries(sign_in_providers)).get(provider);
  return byToken?.issuer === issuer || (!!byRedirect && hasAccountsOf(byRedirect, issuer));
}
