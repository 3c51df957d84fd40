import type { Domain } from '../../../client/generated/api.ts';
import { dnsDomain } from '../../dns-domain.ts';
import { api } from '../../session.ts';
import { date, t } from '../../texts.ts';
import { Action, Copy } from '../../ui/action.tsx';
import { Choice, Field, Form } from '../../ui/form.tsx';
import type { Options } from '../../ui/form-values.ts';
import { List, useList } from '../../ui/list.tsx';
import { Section } from '../../ui/section.tsx';
import { ChoiceAtOnce } from './choice-at-once.tsx';
import type { Part } from './part.ts';

type Mode = Domain['mode'];

/** At once only those of a proven domain join. */
const modes = (isProven: boolean): Options => [
  ['suggest', t('mode.suggest')],
  ...(isProven ? ([['auto', t('mode.auto')]] as const) : []),
  ['off', t('mode.off')],
];

/** The e-mail domains whose users may join, and the records that verify them. */
export function Domains({ workspace: { workspace_id }, may }: Part) {
  const list = useList<Domain>(workspace_id, async () => {
    const { body } = await api.domains.list({ workspace_id });
    return { items: body.result };
  });
  const set = async (domain: string, mode: Mode) => {
    await api.domains.set({ workspace_id, domain, mode });
    await list.refresh();
  };
  const prove = (domain: string) => async () => {
    await api.domains.prove({ workspace_id, domain });
    await list.refresh();
  };
  return (
    <Section title={t('domains')}>
      <p>{t('domainsExplained')}</p>
      <List list={list} empty={t('noDomains')} keyOf={({ domain }) => domain}>
        {({ domain, mode, proven_at, record }) => (
          <div class="buttons">
            <strong dir="ltr">{domain}</strong>
            <ChoiceAtOnce
              label={t('whoJoinsOf', { domain })}
              value={mode}
              options={modes(proven_at !== undefined || mode === 'auto')}
              isFixed={!may('workspace:set-domains')}
              onChoose={(next) => set(domain, next as Mode)}
            />
            {proven_at ? (
              <small>{t('provenOn', { date: date(proven_at) })}</small>
            ) : (
              <details>
                <summary>{t('prove')}</summary>
                <p>{t('proveExplained')}</p>
                <dl>
                  <dt>{t('recordType')}</dt>
                  <dd>
                    <code>{record.type}</code>
                  </dd>
                  <dt>{t('name')}</dt>
                  <dd>
                    <Copy text={record.name} about={t('name')} />
                  </dd>
                  <dt>{t('recordValue')}</dt>
                  <dd>
                    <Copy text={record.value} about={t('recordValue')} />
                  </dd>
                </dl>
                {may('domain:prove') && (
                  <Action about={domain} onAction={prove(domain)}>
                    {t('proveNow')}
                  </Action>
                )}
              </details>
            )}
          </div>
        )}
      </List>
      {may('workspace:set-domains') && (
        <details>
          <summary>{t('newDomain')}</summary>
          <Form
            submit={t('add')}
            onSubmit={({ domain = '', mode }) => set(dnsDomain(domain), mode as Mode)}
          >
            <Field
              label={t('domain')}
              name="domain"
              dir="ltr"
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
            />
            <Choice label={t('whoJoins')} name="mode" options={modes(false)} />
          </Form>
        </details>
      )}
    </Section>
  );
}
