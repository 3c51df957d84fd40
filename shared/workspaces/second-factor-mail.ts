import { pageUrl } from '../access/hosted-pages.ts';
import type { Project } from '../access/projects.ts';
import { getItem } from '../db/batch-loader.ts';
import { create, type Write } from '../db/change.ts';
import { where } from '../db/condition.ts';
import { prefixes } from '../db/key-prefixes.ts';
import { keys } from '../db/keys.ts';
import { accountKey, hasRoom, rateLimitWrite } from '../db/rate-limits.ts';
import { currentRequest } from '../db/request-context.ts';
import { getUser, type UserItem } from '../identity/users/users.ts';
import { type MailItem, newMail } from '../mail/mails.ts';
import type { MailContent } from '../mail/templates.ts';
import { derivedMailId } from '../model/ids.ts';
import { lifetimes } from '../model/limits.ts';
import { forEachBatch } from './batched-transactions.ts';
import type { MemberItem } from './items.ts';
import { getMember } from './members/members.ts';
import { getWorkspace } from './workspaces.ts';

const kind = 'second_factor_required';

/** A workspace has begun to ask its members for a second factor, or asks from an earlier time on. */
export type SecondFactorRequired = {
  workspace_id: string;
  /** From when on. */
  required_at: string;
  changed_at: string;
};

/** True while the workspace asks its members for a second factor, from now on or from a day that is set. */
const asks = where('attribute_exists(#mfa_required_at) AND attribute_not_exists(#deleted_at)');

/** Whether a mail is of use to somebody: who has a second factor shows it, and who is disabled cannot add one. */
const lacksSecondFactor = ({ factor_method, passkey_count = 0, disabled }: UserItem) =>
  factor_method === undefined && passkey_count <= 0 && !disabled;

/** Counts with invitations: both are mails that a workspace, which may be a stranger's, causes to somebody. */
const rate = 'invitationsToOne';

/**
 * Writes a mail to each member without a second factor whose e-mail is proven, as long as mails of workspaces to them
 * have room. May be interrupted and run again: the id of a mail is made of the workspace, the user and the day from
 * which it is asked for, so that each gets one for this day, however often the change comes here or the owner goes back
 * to it. A mail names the day that is set when it is sent, which is another one if the owner has changed their mind by
 * then.
 */
export async function notifyOfSecondFactor({
  workspace_id,
  required_at,
  changed_at,
}: SecondFactorRequired): Promise<void> {
  const { now } = currentRequest();
  // By then the mails of an earlier run may have expired, and would be sent again.
  if (Date.parse(changed_at) + lifetimes.mail * 1_000 <= now.getTime()) return;
  const idFor = (uid: string) =>
    derivedMailId(`${kind} ${workspace_id} ${uid} ${required_at.slice(0, 10)}`);
  const write = async (member: MemberItem): Promise<Record<string, Write>> => {
    const { user_id, project_id } = member;
    const mail_id = idFor(user_id);
    const [user, written] = await Promise.all([
      getUser(project_id, user_id),
      getItem(keys.mail(mail_id)),
    ]);
    if (!user?.verified.email || written || !lacksSecondFactor(user)) return {};
    const { email: to } = user;
    const mailbox = accountKey(project_id, to);
    if (!(await hasRoom(rate, mailbox, now))) return {};
    const mail = newMail(kind, { project_id, to, workspace_id, user_id }, now, mail_id);
    const { write: count } = rateLimitWrite(rate, mailbox, 1, now);
    // Together, so that what is interrupted counts what is written. By mailbox: it may move from one member to another
    // between their reads, and a transaction may contain an item only once.
    return { [`mail ${user_id}`]: create(mail), [`count ${mailbox}`]: count };
  };
  await forEachBatch<MemberItem>(
    workspace_id,
    {
      prefix: prefixes.accepted,
      attributes: ['user_id', 'project_id', 'suspended_at'],
      state: asks,
      predicate: ({ suspended_at }) => suspended_at === undefined,
    },
    async (batch) => Object.assign({}, ...(await Promise.all(batch.map(write)))),
  );
}

/** What such a mail says. Undefined if it is not needed any more: it is sent later than it was written. */
export async function readSecondFactorLetter({
  project_id,
  workspace_id = '',
  user_id = '',
  to,
}: MailItem): Promise<((project: Project, product: string) => MailContent) | undefined> {
  const [workspace, member, user] = await Promise.all([
    getWorkspace(project_id, workspace_id),
    getMember(workspace_id, user_id),
    getUser(project_id, user_id),
  ]);
  const { mfa_required_at } = workspace ?? {};
  if (!workspace || mfa_required_at === undefined) return undefined;
  if (!member || member.suspended_at !== undefined) return undefined;
  if (user?.email !== to || !user.verified.email || !lacksSecondFactor(user)) return undefined;
  return (project, product) => ({
    template: kind,
    product,
    workspace: workspace.name,
    from: new Date(mfa_required_at),
    ...(project.hosted_pages && { link: pageUrl(project, 'account') }),
  });
}
