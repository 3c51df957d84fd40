import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

type Props = {
  title: string;
  /** What leads to it. */
  above?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
};

/** The frame of each view. */
export function Page({ title, above, actions, children }: Props) {
  useEffect(() => {
    document.title = `${title} – Console`;
  }, [title]);
  return (
    <Stack gap="lg">
      <div>
        {above && (
          <Text size="sm" mb={4} component="div">
            {above}
          </Text>
        )}
        <Group justify="space-between" align="center" gap="sm">
          <Title order={1} size="h2" dir="auto" style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
      </div>
      {children}
    </Stack>
  );
}

/** Names with their values, in two columns, or one where the window is narrow. */
export const Facts = ({ rows }: { rows: [string, ReactNode][] }) => (
  <dl style={{ margin: 0 }} className="facts">
    {rows.map(([name, value]) => (
      <div key={name}>
        <Text component="dt" size="sm" c="dimmed">
          {name}
        </Text>
        <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
          {value}
        </Text>
      </div>
    ))}
  </dl>
);

export const Section = ({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}) => (
  <Stack component="section" gap="sm" aria-label={title}>
    <Group justify="space-between" gap="sm">
      <Title order={2} size="h4">
        {title}
      </Title>
      {actions && <Group gap="xs">{actions}</Group>}
    </Group>
    {children}
  </Stack>
);
