import { Tabs, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ApiError } from '../../client/api-error.ts';
import type { Workspace } from '../../client/generated/api.ts';
import { clientOf } from '../ui/api.ts';
import { Id } from '../ui/copy.tsx';
import { Dialog, Explain } from '../ui/dialog.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Facts, Page } from '../ui/page.tsx';
import { Link, useQuery } from '../ui/route.tsx';
import { reloadIfStale } from '../ui/stale.ts';
import { useFields } from '../ui/use-fields.ts';
import { useLoad } from '../ui/use-load.ts';
import type { ViewProps } from '../ui/view-props.ts';
import { When } from '../ui/when.tsx';
import { ApiKeys } from './api-keys.tsx';
import { Domains } from './domains.tsx';
import { Invitations } from './invitations.tsx';
import { JoinRequests } from './join-requests.tsx';
import { Members } from './members.tsx';
import { type Kind, Metadata } from './metadata.tsx';
import { MissingWorkspace } from './missing-workspace.tsx';
import { WorkspaceLog } from './workspace-log.tsx';
import { WorkspaceMfa } from './workspace-mfa.tsx';

export function WorkspaceView({ project, id }: ViewProps) {
  const [query, setQuery] = useQuery();
  const loaded = useLoad(`workspace ${id}`, async (signal) => {
    try {
      const { workspaces } = clientOf(project);
      const { body, headers } = await workspaces.get({ workspace_id: id }, { signal });
      return { workspace: { ...body, etag: headers.get('etag') ?? undefined } };
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_found') return { workspace: undefined };
      throw error;
    }
  });
  const { reload } = loaded;
  const data = loaded.data?.workspace;
  const above = <Link href={`/projects/${project}/workspaces`}>Workspaces</Link>;
  if (loaded.data && !data)
    return (
      <Page title="No such workspace" above={above}>
        <MissingWorkspace project={project} workspace_id={id} onRestore={reload} />
      </Page>
    );
  // An address with a tab that there is not shows the first one.
  const [tab] = tabs.find(([value]) => value === query.get('tab')) ?? tabs[0];
  return (
    <Page
      title={data?.name ?? 'Workspace'}
      above={above}
      actions={data && <Actions project={project} workspace={data} onChange={reload} />}
    >
      <LoadState of={loaded} label="the workspace" />
      {data && (
        <>
          <Facts
            rows={[
              ['Id', <Id key="id" value={data.workspace_id} label="id" />],
              ['Id of the backend', data.external_id ?? '–'],
              [
                'Owner',
                <Link key="owner" href={`/projects/${project}/users/${data.owner_id}`}>
                  {data.owner_email || data.owner_id}
                </Link>,
              ],
              ['Description', data.description ?? '–'],
              ['Members', data.total_member_count.toLocaleString('en')],
              ['Allowed domains', data.allowed_domains.join(', ') || 'none'],
              [
                'Second factor required',
                data.require_mfa ? <When key="mfa" at={data.mfa_required_at} exact /> : 'no',
              ],
              ['Created', <When key="created" at={data.created_at} exact />],
            ]}
          />
          <Tabs
            value={tab}
            onChange={(value) => setQuery({ tab: value === 'members' ? '' : (value ?? '') })}
            keepMounted={false}
          >
            <Tabs.List mb="md">
              {tabs.map(([value, label]) => (
                <Tabs.Tab key={value} value={value}>
                  {label}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value="members">
              <Members project={project} workspace={data} onChange={reload} />
            </Tabs.Panel>
            <Tabs.Panel value="invitations">
              <Invitations project={project} workspace_id={id} />
            </Tabs.Panel>
            <Tabs.Panel value="requests">
              <JoinRequests project={project} workspace_id={id} onChange={reload} />
            </Tabs.Panel>
            <Tabs.Panel value="domains">
              <Domains project={project} workspace_id={id} onChange={reload} />
            </Tabs.Panel>
            <Tabs.Panel value="keys">
              <ApiKeys project={project} workspace_id={id} />
            </Tabs.Panel>
            <Tabs.Panel value="metadata">
              <Metadata
                id={id}
                kinds={kinds}
                read={(signal) =>
                  clientOf(project).workspaces.getMetadata({ workspace_id: id }, { signal })
                }
                write={(objects, ifMatch) =>
                  clientOf(project).workspaces.setMetadata(
                    { workspace_id: id, ...objects },
                    { ifMatch },
                  )
                }
              />
            </Tabs.Panel>
            <Tabs.Panel value="log">
              <WorkspaceLog project={project} workspace_id={id} />
            </Tabs.Panel>
          </Tabs>
        </>
      )}
    </Page>
  );
}

const tabs = [
  ['members', 'Members'],
  ['invitations', 'Invitations'],
  ['requests', 'Join requests'],
  ['domains', 'Domains'],
  ['keys', 'API keys'],
  ['log', 'Audit log'],
  ['metadata', 'Metadata'],
] as const;

const kinds: Kind[] = [
  { name: 'app_metadata', label: 'Of the application', about: 'The admins read it.' },
  { name: 'private_metadata', label: 'Private', about: 'The backend alone reads it.' },
];

type ActionsProps = {
  project: string;
  workspace: Workspace & { etag: string | undefined };
  onChange: () => void;
};

function Actions({ project, workspace, onChange }: ActionsProps) {
  const { workspaces } = clientOf(project);
  const { workspace_id } = workspace;
  const { fields, input, changed, reset } = useFields({
    name: workspace.name,
    description: workspace.description ?? '',
  });
  const [ifMatch, setIfMatch] = useState(workspace.etag);
  const save = async () => {
    const update = { workspace_id, ...Object.fromEntries(changed) };
    await reloadIfStale(workspaces.update(update, { ifMatch }), onChange);
    onChange();
  };
  const remove = async () => {
    await workspaces.delete({ workspace_id });
    onChange();
  };
  return (
    <>
      <Dialog
        label="Edit"
        title="Edit the workspace"
        submit="Save"
        valid={changed.length > 0 && fields.name.trim() !== ''}
        onOpen={() => {
          reset();
          setIfMatch(workspace.etag);
        }}
        onSubmit={save}
      >
        <TextInput label="Name" {...input('name')} required data-autofocus />
        <TextInput label="Description" {...input('description')} />
      </Dialog>
      <WorkspaceMfa project={project} workspace={workspace} onChange={onChange} />
      <Dialog
        label="Delete"
        title="Delete this workspace?"
        danger
        typed={workspace.name}
        onSubmit={remove}
      >
        <Explain>
          Its members lose access at once. For 30 days it can be restored, at this address.
        </Explain>
      </Dialog>
    </>
  );
}
