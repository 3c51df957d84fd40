import { Select } from '@mantine/core';
import { clientOf } from '../ui/api.ts';
import { useLoad } from '../ui/use-load.ts';

type Props = {
  project: string;
  workspace_id: string;
  role: string;
  onChange: (role: string) => void;
};

/** A choice among the roles of the project and of the workspace. */
export function RoleSelect({ project, workspace_id, role, onChange }: Props) {
  const { data: roles = [] } = useLoad(`roles ${workspace_id}`, async (signal) => {
    const { body } = await clientOf(project).roles.listOfWorkspace({ workspace_id }, { signal });
    return body.result;
  });
  // A role that was deleted is still that of its members.
  const names = new Set(['member', 'admin', ...roles.map((each) => each.role), role]);
  return (
    <Select
      label="Role"
      value={role}
      onChange={(value) => value !== null && onChange(value)}
      data={[...names]}
      allowDeselect={false}
    />
  );
}
