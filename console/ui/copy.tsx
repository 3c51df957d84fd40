import { Button, Code, Group, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';

type Props = { value: string; label: string };

/** Milliseconds that a button says so after it has copied. */
const pause = 2_000;

/** Copies the text that `shown` has. Where the browser refuses, as without the permission, it is selected in its place. */
function useCopy(value: string) {
  const shown = useRef<HTMLElement & HTMLPreElement>(null);
  const [state, setState] = useState<'copied' | 'refused'>();
  useEffect(() => {
    if (state !== 'copied') return undefined;
    const timer = setTimeout(() => setState(undefined), pause);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setState('copied');
    } catch {
      if (shown.current) getSelection()?.selectAllChildren(shown.current);
      setState('refused');
    }
  };
  const refusal = (
    <Text size="xs" role="status">
      {state === 'refused' && 'The browser did not copy it. It is selected: copy it by hand.'}
    </Text>
  );
  return { shown, copy, copied: state === 'copied', refusal };
}

/** An id that is rarely read and often copied. */
export function Id({ value, label }: Props) {
  const { shown, copy, copied, refusal } = useCopy(value);
  return (
    <>
      <Group gap={6} wrap="nowrap" maw="100%">
        <Text
          component="code"
          ref={shown}
          ff="monospace"
          size="sm"
          style={{ overflowWrap: 'anywhere' }}
        >
          {value}
        </Text>
        <Button
          size="compact-xs"
          variant="default"
          onClick={copy}
          title={`Copy the ${label}`}
          aria-label={`Copy the ${label}`}
          style={{ flexShrink: 0 }}
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
      </Group>
      {refusal}
    </>
  );
}

/** A secret that is shown this once. */
export function Secret({ value, label }: Props) {
  const { shown, copy, copied, refusal } = useCopy(value);
  return (
    <>
      <Code block ref={shown} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {value}
      </Code>
      <Button mt="xs" onClick={copy} variant="light">
        {copied ? 'Copied' : `Copy the ${label}`}
      </Button>
      {refusal}
    </>
  );
}
