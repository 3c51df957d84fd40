import { Container, Stack, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { enter, readTarget, type Target } from './ui/api.ts';
import { Failure } from './ui/failure.tsx';
import { Loading } from './ui/load-state.tsx';
import { useAddress } from './ui/route.tsx';
import { Shell } from './ui/shell.tsx';
import { viewOf } from './views.tsx';

export function App() {
  const address = useAddress();
  const [target, setTarget] = useState<Target>();
  const [failure, setFailure] = useState<unknown>();
  const start = async () => {
    setFailure(undefined);
    try {
      await enter();
      setTarget(await readTarget());
    } catch (error) {
      setFailure(error);
    }
  };
  useEffect(() => void start(), []);
  if (failure !== undefined)
    return (
      <Container size="xs" py="xl" component="main">
        <Stack>
          <Title order={1} size="h2">
            Console
          </Title>
          <Failure failure={failure} onRetry={() => void start()} />
        </Stack>
      </Container>
    );
  if (!target)
    return (
      <Container size="xs" py="xl" component="main">
        <Loading label="the console" />
      </Container>
    );
  const [path = ''] = address.split('?');
  const { view, project } = viewOf(path);
  return (
    <Shell target={target} project={project} path={path}>
      {view}
    </Shell>
  );
}
