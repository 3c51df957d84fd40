import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ApiKey, NewApiKey } from '../../../client/generated/api.ts';
import { unlessGone } from '../../failures.ts';
import { loadPermissionTexts } from '../../texts/permissions.ts';
import { t } from '../../texts.ts';
import { Copy } from '../../ui/action.tsx';
import { List, useList } from '../../ui/list.tsx';
import { KeyRow } from './key-row.tsx';
import type { KeyStore } from './key-store.ts';
import { NewKey } from './new-key.tsx';

/** API keys: those that there are, and another one. */
export function Keys({ store }: { store: KeyStore }) {
  const [newKey, setNewKey] = useState<NewApiKey>();
  const opener = useRef<HTMLElement>(null);
  const list = useList<ApiKey>(store.owner, async () => {
    const items = await store.list();
    // Most keys have a role: the page is at its limit of size without these texts.
    if (items.some(({ permissions }) => permissions)) await loadPermissionTexts();
    return { items };
  });
  /** Shows a text before anything else can fail: it does not come again. */
  const show = async (key: NewApiKey) => {
    setNewKey(key);
    await list.refresh();
  };
  const hide = () => {
    setNewKey(undefined);
    // The button that was pressed is gone.
    opener.current?.focus();
  };
  const revoke = async (key_id: string) => {
    await store.revoke(key_id).catch(unlessGone);
    if (newKey?.key_id === key_id) setNewKey(undefined);
    await list.refresh();
  };
  return (
    <>
      {newKey && <NewKeyText key={newKey.key} apiKey={newKey} onCopied={hide} />}
      <List list={list} empty={t('noKeys')} keyOf={({ key_id }) => key_id}>
        {(key) => (
          <KeyRow
            apiKey={key}
            onChange={async (changes) => {
              await store.update(key.key_id, changes);
              await list.refresh();
            }}
            onRotate={async (overlap) => show(await store.rotate(key.key_id, overlap))}
            onRevoke={() => revoke(key.key_id)}
          />
        )}
      </List>
      <NewKey store={store} opener={opener} onMade={show} />
    </>
  );
}

/** A text that is shown once, until who sees it has it. */
function NewKeyText({ apiKey, onCopied }: { apiKey: NewApiKey; onCopied: () => void }) {
  const words = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => words.current?.focus(), []);
  return (
    <div class="made">
      <p ref={words} tabIndex={-1}>
        {t('keyMade', { name: apiKey.name })}
      </p>
      <Copy text={apiKey.key} about={apiKey.name} />
      <button type="button" class="secondary" onClick={onCopied}>
        {t('keyCopied')}
      </button>
    </div>
  );
}
