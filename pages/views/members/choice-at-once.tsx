import { useRef, useState } from 'preact/hooks';
import { wordsFor } from '../../failures.ts';
import { t } from '../../texts.ts';
import { Alert } from '../../ui/form.tsx';
import { OptionList, type Options } from '../../ui/options.tsx';
import { useAction } from '../../ui/use-action.ts';

type ChoiceProps = {
  label: string;
  value: string;
  options: Options;
  isFixed?: boolean;
  onChoose: (value: string) => Promise<unknown>;
};

/**
 * A choice that is carried out at once, but not what is chosen by keys. There each step is a choice: who goes by the
 * arrow from the first role to the third would give the second on the way. A button carries that out.
 */
export function ChoiceAtOnce({ label, value, options, isFixed = false, onChoose }: ChoiceProps) {
  const { run, busy, failure } = useAction();
  const select = useRef<HTMLSelectElement>(null);
  const isByKey = useRef(false);
  const [chosen, setChosen] = useState<string>();
  const [waits, setWaits] = useState(false);
  /** The last that was chosen since one is being carried out: who corrects a choice gets the other. */
  const last = useRef<string>(undefined);

  const act = async (next: string) => {
    setChosen(next);
    const isBusy = last.current !== undefined;
    last.current = next;
    if (isBusy) return;
    await run(async () => {
      for (let done: string | undefined; done !== last.current; ) {
        done = last.current ?? value;
        await onChoose(done);
      }
    });
    last.current = undefined;
    // What is not changed must not look as if it were.
    setChosen(undefined);
  };
  const choose = (next: string) => {
    if (!isByKey.current) return void act(next);
    setChosen(next);
    setWaits(next !== value);
  };
  const save = () => {
    // The button goes away.
    select.current?.focus();
    setWaits(false);
    void act(chosen ?? value);
  };
  return (
    <>
      <select
        ref={select}
        aria-label={label}
        aria-busy={busy}
        disabled={isFixed}
        value={chosen ?? value}
        onKeyDown={() => {
          isByKey.current = true;
        }}
        onPointerDown={() => {
          isByKey.current = false;
        }}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        <OptionList of={options} />
      </select>
      {waits && (
        <button type="button" class="plain" onClick={save}>
          {t('save')}
          <span class="unseen"> {label}</span>
        </button>
      )}
      {failure !== undefined && <Alert>{wordsFor(failure)}</Alert>}
    </>
  );
}
