import { Accordion, Button, Group, Text } from '@mantine/core';
import { withLinksInNewTabs } from '../../local/http/mail-frame.ts';
import { readMails } from '../ui/api.ts';
import { LoadState } from '../ui/load-state.tsx';
import { Page } from '../ui/page.tsx';
import { useLoad } from '../ui/use-load.ts';
import { When } from '../ui/when.tsx';

/** The mails that the service on this machine has not sent. A mail has no script, and asks nobody for anything. */
export function MailsView() {
  const mails = useLoad('mails', readMails);
  const { data, busy, reload } = mails;
  return (
    <Page
      title="Mails"
      actions={
        <Button variant="default" onClick={reload} loading={busy}>
          Reload
        </Button>
      }
    >
      <LoadState of={mails} label="mails" />
      {data?.length === 0 && (
        <Text c="dimmed">No mail was sent yet. None leaves this machine.</Text>
      )}
      {data && data.length > 0 && (
        <Accordion variant="separated">
          {data.map(({ message_id, subject, to, received_at, html }) => (
            <Accordion.Item key={message_id} value={message_id}>
              <Accordion.Control>
                <Group justify="space-between" gap="xs">
                  <div style={{ minWidth: 0 }}>
                    <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
                      {subject}
                    </Text>
                    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                      {to}
                    </Text>
                  </div>
                  <When at={received_at} size="sm" c="dimmed" />
                </Group>
              </Accordion.Control>
              <Accordion.Panel>
                <iframe
                  className="mail"
                  title={subject}
                  sandbox="allow-popups allow-popups-to-escape-sandbox"
                  loading="lazy"
                  srcDoc={withLinksInNewTabs(html)}
                />
              </Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
      )}
    </Page>
  );
}
