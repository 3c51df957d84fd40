import {
  ActionIcon,
  AppShell,
  Badge,
  Burger,
  Group,
  NavLink,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Target } from './api.ts';
import { follow, Link } from './route.tsx';

const views = [
  ['Overview', ''],
  ['Users', '/users'],
  ['Workspaces', '/workspaces'],
  ['Roles', '/roles'],
  ['Events', '/events'],
  ['Webhooks', '/webhooks'],
  ['Settings', '/settings'],
] as const;

type Props = {
  target: Target;
  project: string | undefined;
  path: string;
  children: ReactNode;
};

/** The frame of the console: what it works on, and the way to each view. */
export function Shell({ target, project, path, children }: Props) {
  const [open, { toggle, close }] = useDisclosure(false);
  // From `sm` on, the navigation is always there.
  const isWide = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false });
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  useEffect(() => {
    close();
    // A screen reader goes on where the new view begins.
    if (first.current) first.current = false;
    else main.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [path]);
  const link = (label: string, href: string, isActive: boolean) => (
    <NavLink
      key={href}
      label={label}
      href={href}
      active={isActive}
      {...(isActive && { 'aria-current': 'page' as const })}
      onClick={(event) => {
        follow(event, href);
        // The link that has the focus is about to be inert, also where it leads to the view that is shown.
        if (open) main.current?.focus({ preventScroll: true });
        close();
      }}
    />
  );
  const base = `/projects/${project}`;
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !open } }}
      padding="md"
    >
      <AppShell.Header>
        <Group
          h="100%"
          px={{ base: 'xs', sm: 'md' }}
          justify="space-between"
          wrap="nowrap"
          gap="xs"
        >
          <Group wrap="nowrap" gap="sm" style={{ minWidth: 0 }}>
            <Burger
              opened={open}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={open ? 'Close the navigation' : 'Open the navigation'}
              aria-expanded={open}
            />
            <Link href="/" fw={700} underline="never" c="inherit" className="home">
              Console
            </Link>
            <Badge
              size="lg"
              color={target.stack === undefined ? 'gray' : 'red'}
              variant={target.stack === undefined ? 'default' : 'outline'}
              title={target.service}
              miw={0}
            >
              {target.stack ?? 'this machine'}
            </Badge>
          </Group>
          <SchemeButton />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Views" inert={!open && !isWide}>
        {link('Projects', '/', path === '/')}
        {project !== undefined && (
          <>
            <Text size="xs" c="dimmed" px="sm" pt="md" pb={4} truncate title={project}>
              {project}
            </Text>
            {views.map(([label, end]) =>
              link(label, base + end, end === '' ? path === base : path.startsWith(base + end)),
            )}
          </>
        )}
        {target.local && (
          <>
            <Text size="xs" c="dimmed" px="sm" pt="md" pb={4}>
              This machine
            </Text>
            {link('Mails', '/mails', path === '/mails')}
          </>
        )}
      </AppShell.Navbar>
      <AppShell.Main ref={main} tabIndex={-1} style={{ outline: 'none' }}>
        <div style={{ maxWidth: '72rem' }}>{children}</div>
      </AppShell.Main>
    </AppShell>
  );
}

function SchemeButton() {
  const { setColorScheme } = useMantineColorScheme();
  const now = useComputedColorScheme('light');
  const other = now === 'dark' ? 'light' : 'dark';
  return (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label={`Use ${other} colours`}
      title={`Use ${other} colours`}
      onClick={() => setColorScheme(other)}
    >
      <span aria-hidden="true">{now === 'dark' ? '☀' : '☾'}</span>
    </ActionIcon>
  );
}
