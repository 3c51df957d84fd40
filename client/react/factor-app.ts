import { createElement, Fragment, type ReactNode, useState } from 'react';
import { factorsOf } from '../factors.ts';
import type { Factor } from '../generated/api.ts';
import { AddApp } from './add-app.ts';
import { useAnnouncement } from './announcement.ts';
import { alert, button, codeInput, Field, Form, useAction } from './form.ts';
import type { PartProps } from './later.ts';
import { type ListHook, useList } from './list-hooks.ts';
import { listState } from './list-state.ts';
import { parseFactorCode } from './parse-factor-code.ts';
import { RecoveryCodes } from './recovery-codes.ts';
import { useProvided } from './session.ts';
import { unlessGone } from './unless-gone.ts';

export function useFactors(isOffered = true): ListHook<Factor[]> {
  const { auth } = useProvided();
  return useList<Factor[]>(
    isOffered ? 'factors' : undefined,
    async (_, signal) => (await factorsOf(auth).factors.list({}, { signal })).body.result,
  );
}

/** The authenticator app of the signed-in user, or how to add one. */
export function FactorApp({
  part,
  words,
  asksPassword,
}: PartProps & { asksPassword: boolean }): ReactNode {
  const { auth, texts } = useProvided();
  const { factors } = factorsOf(auth);
  const { announcement, announce } = useAnnouncement(part);
  const list = useFactors();
  const { data, refresh } = list;
  const [factor] = data ?? [];
  /** New recovery codes, which are shown once: they stay, whatever is learned of the app meanwhile. */
  const [recovery, setRecovery] = useState<{ codes: readonly string[]; onKept: () => void }>();
  /** Says what has changed, once what was pressed is gone. */
  const tell = async (text: string) => {
    await refresh();
    announce(text);
  };
  const show = (codes: readonly string[], text = '') => {
    const onKept = () => {
      setRecovery(undefined);
      announce(text);
    };
    setRecovery({ codes, onKept });
    void refresh();
  };
  const inside = (): ReactNode => {
    if (recovery) return createElement(RecoveryCodes, { part, words, ...recovery });
    if (!data) return null;
    if (factor)
      return createElement(AppDetails, {
        part,
        words,
        factor,
        onCodes: show,
        onRemoved: () => tell(words.appRemoved),
      });
    return createElement(AddApp, {
      part,
      words,
      why: words.appNone,
      asksPassword,
      isInner: true,
      start: async (current_password) => (await factors.startTotp({ current_password })).body,
      confirm: async (code) =>
        show((await factors.confirmTotp({ code })).body.recovery_codes, words.appAdded),
    });
  };
  return createElement(Fragment, null, announcement, ...listState(part, texts, list), inside());
}

type AppDetailsProps = PartProps & {
  factor: Factor;
  onCodes: (codes: readonly string[]) => void;
  onRemoved: () => Promise<void>;
};

/** An app that there is: what is left of its recovery codes, new ones, and its end. Each takes a code. */
function AppDetails({ part, words, factor, onCodes, onRemoved }: AppDetailsProps): ReactNode {
  const { auth } = useProvided();
  const { factors } = factorsOf(auth);
  const { created_at, last_used_at, recovery_codes_left } = factor;
  const date = (at: string) => words.date(new Date(at));
  return createElement(
    Fragment,
    null,
    createElement(
      'p',
      part('note'),
      [
        words.appSince(date(created_at)),
        ...(last_used_at === undefined ? [] : [words.appUsed(date(last_used_at))]),
        words.recoveryLeft(recovery_codes_left),
      ].join(' '),
    ),
    createElement(Proof, {
      part,
      words,
      title: words.recoveryRenew,
      about: words.recoveryRenewExplained,
      act: (code) =>
        factors
          .renewRecoveryCodes(code)
          .catch(unlessGone)
          .then((renewed) => (renewed ? onCodes(renewed.body.recovery_codes) : onRemoved())),
    }),
    createElement(Proof, {
      part,
      words,
      title: words.appRemove,
      about: words.appRemoveExplained,
      act: (code) => factors.deleteTotp(code).catch(unlessGone).then(onRemoved),
    }),
  );
}

type ProofProps = PartProps & {
  title: string;
  about: string;
  act: (code: ReturnType<typeof parseFactorCode>) => Promise<unknown>;
};

/** Does something with a code of the app, or a recovery code. */
function Proof({ part, words, title, about, act }: ProofProps): ReactNode {
  const { texts } = useProvided();
  const [code, setCode] = useState('');
  const { run, busy, failure, wrong, words: failureText } = useAction(words.errors);
  const submit = () =>
    run(async () => act(parseFactorCode(code, texts)), {
      invalid_credentials: ['code', texts.codeWrong],
    });
  return createElement(
    'details',
    part('details'),
    createElement('summary', part('summary'), title),
    createElement(
      Form,
      {
        part,
        label: title,
        failure,
        step: 'proof',
        isInner: true,
        onSubmit: submit,
      },
      createElement('p', part('note'), about),
      createElement(Field, {
        part,
        label: words.appProof,
        wrong,
        value: code,
        onText: setCode,
        ...codeInput,
      }),
      alert(part, failureText),
      button(part, title, { look: 'main', busy }),
    ),
  );
}
