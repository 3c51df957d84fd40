import { Button, Code, CopyButton, Group, Text, Tooltip } from '@mantine/core';

/** An id that is rarely read and often copied. */
export const Id = ({ value, label }: { value: string; label: string }) => (
  <Group gap={6} wrap="nowrap" maw="100%">
    <Text component="code" ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
      {value}
    </Text>
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : `Copy the ${label}`} withArrow>
          <Button
            size="compact-xs"
            variant="default"
            onClick={copy}
            aria-label={`Copy the ${label}`}
            style={{ flexShrink: 0 }}
          >
            {copied ? 'Copied' : 'Copy'}
          </Button>
        </Tooltip>
      )}
    </CopyButton>
  </Group>
);

/** A secret that is shown this once. */
export const Secret = ({ value, label }: { value: string; label: string }) => (
  <>
    <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
      {value}
    </Code>
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button mt="xs" onClick={copy} variant="light">
          {copied ? 'Copied' : `Copy the ${label}`}
        </Button>
      )}
    </CopyButton>
  </>
);
