import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { oneLine } from '../../shared/mail/sanitize.ts';
import { Failure } from './failure.tsx';
import { useAction } from './use-action.ts';

type Props = {
  /** What the button says that opens it. */
  label: string;
  title: ReactNode;
  /** What the button says that does it; default: the label. */
  submit?: string;
  danger?: boolean;
  disabled?: boolean;
  /** What has to be typed, so that it is not done by the way. */
  typed?: string;
  children?: ReactNode;
  /** Has the form start anew: whatever was typed before and cancelled must not be sent. */
  onOpen?: () => void;
  /** Does it. What it resolves with is shown instead of the dialog's content until it is closed. */
  onSubmit: () => Promise<ReactNode | void>;
  size?: 'xs' | 'sm';
  valid?: boolean;
};

/** A button that asks in a dialog before it does something. The focus returns to it. */
export function Dialog(props: Props) {
  const { label, title, submit = label, danger, disabled, typed, children, onSubmit } = props;
  const [open, setOpen] = useState(false);
  const [input, setInput] = useState('');
  const [result, setResult] = useState<ReactNode>();
  const { busy, failure, run, clear } = useAction();
  const color = danger ? 'red' : undefined;
  const close = () => {
    if (busy) return;
    setOpen(false);
    setInput('');
    setResult(undefined);
    clear();
  };
  const work = () =>
    run(async () => {
      const content = await onSubmit();
      if (content === undefined || content === null) setOpen(false);
      else setResult(content);
      setInput('');
    });
  return (
    <>
      <Button
        size={props.size ?? 'sm'}
        variant={danger ? 'outline' : 'default'}
        disabled={disabled ?? false}
        onClick={() => {
          props.onOpen?.();
          setOpen(true);
        }}
        {...(color && { color })}
      >
        {label}
      </Button>
      <Modal
        opened={open}
        onClose={close}
        title={title}
        centered
        // A click beside it would lose what was typed, or a secret that is shown this once.
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': 'Close' }}
        // The head of a dialog is not that of the page.
        attributes={{ header: { role: 'presentation' } }}
      >
        {result ?? (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void work();
            }}
          >
            <Stack>
              {children}
              {typed !== undefined && (
                <TextInput
                  label={
                    <>
                      Type <bdi>{typed}</bdi> to confirm
                    </>
                  }
                  value={input}
                  onChange={({ currentTarget }) => setInput(currentTarget.value)}
                  autoComplete="off"
                  data-autofocus
                />
              )}
              {failure !== undefined && <Failure failure={failure} />}
              <Group justify="flex-end">
                <Button variant="default" onClick={close} disabled={busy}>
                  Cancel
                </Button>
                <Button
                  type="submit"
                  loading={busy}
                  disabled={
                    (typed !== undefined && seen(input) !== seen(typed)) || props.valid === false
                  }
                  // White on the usual red is too faint to read.
                  {...(danger && { color: 'red.9' })}
                >
                  {submit}
                </Button>
              </Group>
            </Stack>
          </form>
        )}
      </Modal>
    </>
  );
}

/** A text as it is seen: nobody can type a name otherwise. */
const seen = (text: string): string => oneLine(text).normalize('NFC');

export const Explain = ({ children }: { children: ReactNode }) => (
  <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
    {children}
  </Text>
);
