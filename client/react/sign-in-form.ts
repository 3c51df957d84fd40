import { createElement, useState } from 'react';
import {
  alert,
  button,
  codeInput,
  Field,
  FieldError,
  Form,
  passwordInput,
  sixDigits,
  useAction,
} from './form.ts';
import { keepCode, keptCode } from './kept-code.ts';
import { later } from './later.ts';
import { useProvided } from './session.ts';
import {
  type ByEmail,
  type IdentityProvider,
  isByEmail,
  type SignInProps,
} from './sign-in-props.ts';
import { useSteps } from './steps.ts';
import { partOf } from './style.ts';

const MailedLinkSent = later(async () => (await import('./mailed-link.ts')).MailedLinkSent);
const ProviderButtons = later(
  async () => (await import('./provider-buttons.ts')).ProviderButtons,
  true,
);

type SignInFormProps = SignInProps & {
  /** Why a sign-in at a provider, from which this page has come back, has failed. */
  refusal: unknown;
};

/** The ways to sign in or up, to who is not signed in. */
export function SignInForm(props: SignInFormProps) {
  const {
    methods = ['code', 'password'],
    providers = [],
    signInProviders,
    links,
    refusal,
    signUp = false,
    onSignedIn,
  } = props;
  const { auth, texts } = useProvided();
  const part = partOf(props);
  const offered = methods.filter((each) =>
    each === 'link' ? links : each !== 'provider' || signInProviders,
  );
  const ways = offered.filter(isByEmail);
  const [sentCode] = useState(keptCode);
  const [method, setMethod] = useState<ByEmail | undefined>(sentCode ? 'code' : ways[0]);
  // No method was there at first: this is the first one whose prop came later.
  if (!method && ways[0]) setMethod(ways[0]);
  const [isNew, setNew] = useState(false);
  const [email, setEmail] = useState(sentCode?.email ?? '');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [challenge, setChallenge] = useState(sentCode?.challenge_id);
  /** The id of the link that is on its way. */
  const [link_id, setLink] = useState<string>();
  const [note, setNote] = useState(sentCode ? texts.codeSent(sentCode.email) : '');
  const { run, busy, failure, forget, wrong, words } = useAction(undefined, refusal);

  const address = email.trim();
  /** Does something with the e-mail, if it can be one: the service knows better. */
  const runWithEmail = (
    action: () => Promise<unknown>,
    invalid_credentials: readonly [string, string] = ['email', texts.passwordWrong],
  ) =>
    run(
      async () => {
        if (!/.@./.test(address)) throw new FieldError('email', texts.emailInvalid);
        await action();
      },
      {
        // One that the service does not take is not right.
        password: ['password', texts.passwordWrong],
        invalid_request: ['email', texts.emailInvalid],
        invalid_credentials,
      },
    );

  const { finish, byPasskey, step } = useSteps({
    part,
    passkey: methods.includes('passkey'),
    onSignedIn,
    onOther: () => change(method),
  });

  const start = () =>
    runWithEmail(async () => {
      const { challenge_id } = await auth.signIn.startCode({ email: address });
      keepCode({ challenge_id, email: address });
      setChallenge(challenge_id);
      setCode('');
      setNote(texts.codeSent(address));
    });
  const startLink = () => runWithEmail(async () => setLink((await links?.start(address))?.link_id));
  const forgot = () =>
    runWithEmail(async () => {
      await auth.forgotPassword({ email: address });
      setNote(texts.resetSent);
    });
  const mailLink = () =>
    runWithEmail(async () => {
      await auth.signUp.start({ email: address });
      setNote(texts.signUpSent(address));
    });
  const byProvider = ({ provider, getIdToken }: IdentityProvider) =>
    run(async () => {
      await finish(auth.signIn.identity({ provider, ...(await getIdToken()) }));
    });
  const byPassword = () =>
    runWithEmail(async () => {
      if (password === '') throw new FieldError('password', texts.passwordMissing);
      await finish(auth.signIn.password({ email: address, password }));
    }, ['password', texts.passwordWrong]);
  const byCode = (challenge_id: string) =>
    run(
      async () => {
        await finish(auth.signIn.code({ challenge_id, code: sixDigits(code, texts) }));
        keepCode();
      },
      {
        invalid_request: ['code', texts.codeIncomplete],
        invalid_credentials: ['code', texts.codeWrong],
      },
    );

  function change(to: ByEmail | undefined, asNew = isNew): void {
    setMethod(to);
    setNew(asNew);
    if (challenge) keepCode();
    setChallenge(undefined);
    setLink(undefined);
    setPassword('');
    setNote('');
    forget();
  }
  const submit = () => {
    if (challenge) return byCode(challenge);
    if (method === 'code') return start();
    if (method === 'link') return startLink();
    return isNew ? mailLink() : byPassword();
  };

  if (methods[0] && !offered[0]) {
    // What is there and undefined comes later.
    if (methods.some((each) => (each === 'link' ? 'links' : 'signInProviders') in props))
      return null;
    throw new Error('<SignIn> needs links or signInProviders');
  }
  if (step) return step;
  if (link_id && links)
    return createElement(MailedLinkSent, {
      part,
      links,
      link_id,
      email: address,
      finish,
      onOther: () => change(method),
    });
  const link = (label: string, onClick: () => unknown) =>
    button(part, label, { look: 'link', busy, onClick });
  const switches: Record<ByEmail, string> = {
    code: texts.useCode,
    password: texts.usePassword,
    link: texts.useLink,
  };
  const asksCode = !!challenge;
  const asksPassword = method === 'password' && !isNew;
  const enter = isNew ? texts.signUp : texts.signIn;
  const send = method === 'code' ? texts.sendCode : texts.sendLink;
  const formStep = asksCode ? 'asked' : `${method} ${isNew}`;
  return createElement(
    Form,
    { part, label: enter, failure, step: formStep, onSubmit: submit },
    // Always there, so that a screen reader says what comes into it.
    createElement('p', { ...part('note'), role: 'status' }, note),
    asksCode &&
      createElement(Field, {
        key: 'code',
        part,
        label: texts.code,
        wrong,
        value: code,
        onText: setCode,
        ...codeInput,
        inputMode: 'numeric',
        autoFocus: true,
      }),
    method &&
      !asksCode &&
      createElement(Field, {
        key: 'email',
        part,
        label: texts.email,
        wrong,
        value: email,
        onText: setEmail,
        name: 'email',
        type: 'email',
        autoComplete: `${asksPassword ? 'username' : 'email'}${methods.includes('passkey') ? ' webauthn' : ''}`,
      }),
    asksPassword &&
      createElement(Field, {
        key: 'password',
        part,
        label: texts.password,
        wrong,
        value: password,
        onText: setPassword,
        ...passwordInput,
      }),
    alert(part, words ?? wrong('provider')),
    method && button(part, asksCode || asksPassword ? enter : send, { look: 'main', busy }),
    !asksCode && byPasskey(!!method),
    methods.includes('identity') &&
      providers.map((each) =>
        button(part, texts.continueWith(each.title), {
          busy,
          onClick: () => byProvider(each),
        }),
      ),
    signInProviders &&
      methods.includes('provider') &&
      !asksCode &&
      createElement(ProviderButtons, {
        key: 'providers',
        part,
        providers: signInProviders,
        email: address,
      }),
    asksCode && link(texts.sendAgain, start),
    asksCode && link(texts.otherEmail, () => change('code')),
    asksPassword && link(texts.forgot, forgot),
    ways
      .filter((other) => other !== method)
      .map((other) => link(switches[other], () => change(other))),
    signUp &&
      method &&
      link(isNew ? texts.signInInstead : texts.signUp, () => change(method, !isNew)),
  );
}
