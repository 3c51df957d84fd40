import { useState } from 'preact/hooks';
import type { InvitedWorkspace, User, Workspace } from '../../client/generated/api.ts';
import { unlessGone } from '../failures.ts';
import { hrefOf } from '../href.ts';
import { project } from '../project.ts';
import { api } from '../session.ts';
import { loadJoiningTexts } from '../texts/joining.ts';
import { loadWorkspacesTexts } from '../texts/workspaces.ts';
import { count, date, t } from '../texts.ts';
import { Action } from '../ui/action.tsx';
import { Field, Form } from '../ui/form.tsx';
import { List, Loading, More, pageAt, pageOf, Retry, useList } from '../ui/list.tsx';
import { Section } from '../ui/section.tsx';
import type { View } from '../view.ts';

export const view: View = {
  title: 'workspaces',
  for: 'user',
  wide: true,
  loadTexts: () => Promise.all([loadWorkspacesTexts(), loadJoiningTexts()]),
  Show: Workspaces,
};

function Workspaces({ user }: { user: User }) {
  const joinedList = useList<Workspace>(user.uid, async (cursor) => {
    const { body, headers } = await api.workspaces.listJoined(pageAt(cursor));
    return pageOf(body, headers);
  });
  /** The domains and the requests come with the first page alone. */
  const invitedList = useList(user.uid, async (cursor) => {
    const { body, headers } = await api.workspaces.listInvited(pageAt(cursor));
    return pageOf([body], headers);
  });
  const refresh = () => Promise.all([joinedList.refresh(), invitedList.refresh()]);
  const invitations = invitedList.items.flatMap((each) => each.invited_workspaces);
  const [firstPage] = invitedList.items;
  const openWorkspaces = firstPage?.same_domain_workspaces ?? [];
  /** The user may be in all that the service has looked at. */
  const mayLack = firstPage?.more_same_domain_workspaces;

  const join = (workspace_id: string) => async () => {
    await api.members.join({ workspace_id, user_id: user.uid });
    await refresh();
  };
  const after = (work: () => Promise<unknown>) => async () => {
    await work().catch(unlessGone);
    await refresh();
  };
  const invitation = ({ workspace_id, name, inviter_email }: InvitedWorkspace) => (
    <li key={workspace_id}>
      <Named name={name} more={inviter_email && t('invitedBy', { email: inviter_email })} />
      <div class="buttons">
        <Action about={name} onAction={join(workspace_id)}>
          {t('accept')}
        </Action>
        <Action
          look="plain"
          about={name}
          confirm={t('declineSure')}
          onAction={after(() => api.invitations.end({ workspace_id, user_id: user.uid }))}
        >
          {t('decline')}
        </Action>
      </div>
    </li>
  );
  return (
    <>
      {invitedList.state === 'failed' && (
        <Retry failure={invitedList.failure} onRetry={invitedList.retry} />
      )}
      {(invitations.length > 0 || invitedList.hasMore) && (
        <section>
          <h2>{t('invitations')}</h2>
          {invitations.length > 0 && <ul class="list">{invitations.map(invitation)}</ul>}
          <More list={invitedList} />
        </section>
      )}
      <section>
        <h2>{t('joinedWorkspaces')}</h2>
        <List list={joinedList} empty={t('noWorkspaces')} keyOf={(each) => each.workspace_id}>
          {(each) => <Joined workspace={each} user={user} onLeave={refresh} />}
        </List>
      </section>
      {mayCreate(user) && <Create onCreate={joinedList.refresh} />}
      {(openWorkspaces.length > 0 || mayLack) && (
        <section>
          <h2>{t('openWorkspaces')}</h2>
          {openWorkspaces.length > 0 && (
            <ul class="list">
              {openWorkspaces.map(({ workspace_id, name, domain, mode }) => (
                <li key={workspace_id}>
                  <Named name={name} more={t('forDomain', { domain })} />
                  {mode === 'auto' ? (
                    <Action about={name} onAction={join(workspace_id)}>
                      {t('joinNow')}
                    </Action>
                  ) : (
                    <Action
                      about={name}
                      onAction={after(() => api.joinRequests.create({ workspace_id }))}
                    >
                      {t('askToJoin')}
                    </Action>
                  )}
                </li>
              ))}
            </ul>
          )}
          {mayLack && <p>{t('openSome')}</p>}
        </section>
      )}
      {firstPage && firstPage.requested_workspaces.length > 0 && (
        <section>
          <h2>{t('askedWorkspaces')}</h2>
          <ul class="list">
            {firstPage.requested_workspaces.map(({ workspace_id, name, requested_at }) => (
              <li key={workspace_id}>
                <Named name={name} more={t('askedOn', { date: date(requested_at) })} />
                <Action
                  look="plain"
                  about={name}
                  onAction={after(() =>
                    api.joinRequests.delete({ workspace_id, user_id: user.uid }),
                  )}
                >
                  {t('withdraw')}
                </Action>
              </li>
            ))}
          </ul>
        </section>
      )}
      {invitedList.state === 'loading' && <Loading />}
    </>
  );
}

function mayCreate({ verified }: User): boolean {
  const { workspace_creation } = project;
  return workspace_creation === 'anyone' || (workspace_creation === 'verified' && verified.email);
}

function Create({ onCreate }: { onCreate: () => Promise<unknown> }) {
  /** A new form after each workspace. */
  const [createdCount, setCreatedCount] = useState(0);
  const create = async ({ name = '' }: Record<string, string>) => {
    await api.workspaces.create({ name });
    setCreatedCount(createdCount + 1);
    await onCreate();
  };
  return (
    <Section title={t('newWorkspace')}>
      <p role="status">{createdCount > 0 && t('event.workspace.created')}</p>
      <Form key={createdCount} submit={t('create')} onSubmit={create}>
        <Field label={t('name')} name="name" maxLength={128} />
      </Form>
    </Section>
  );
}

function Joined(props: { workspace: Workspace; user: User; onLeave: () => Promise<unknown> }) {
  const { workspace, user, onLeave } = props;
  const { workspace_id, name, owner_id, total_member_count } = workspace;
  const leave = async () => {
    await api.members.remove({ workspace_id, user_id: user.uid }).catch(unlessGone);
    await onLeave();
  };
  return (
    <>
      <div>
        <a href={hrefOf('members', { workspace_id })} dir="auto">
          {name}
        </a>
        <small>
          {count('members', total_member_count)}
          {owner_id === user.uid && ` · ${t('youOwn')}`}
        </small>
        {workspace.ownership_offered_to === user.uid && (
          <small>
            <a href={hrefOf('ownership', { workspace_id })}>{t('ownershipOffered')}</a>
          </small>
        )}
      </div>
      {owner_id !== user.uid && (
        <Action look="plain" about={name} confirm={t('leaveSure')} onAction={leave}>
          {t('leave')}
        </Action>
      )}
    </>
  );
}

const Named = ({ name, more }: { name: string; more: string }) => (
  <div>
    <strong dir="auto">{name}</strong>
    <small>{more}</small>
  </div>
);
