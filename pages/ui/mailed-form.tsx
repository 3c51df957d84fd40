import { project } from '../project.ts';
import { loadLinkTexts, t } from '../texts.ts';
import type { CodeFormProps, KeptCode } from './code-form.tsx';
import { Later } from './later.tsx';
import { Way } from './list.tsx';

/** The words of each way to sign in with an e-mail, where another one is shown. */
const words = { password: 'usePassword', code: 'useCode', link: 'useLink' } as const;
type Way = keyof typeof words;

const loadCodeForm = async () => (await import('./code-form.tsx')).CodeForm;
const loadLinkForm = async () => {
  const [part] = await Promise.all([import('./link-form.tsx'), loadLinkTexts()]);
  return part.LinkForm;
};

/** The ways to sign in with an e-mail that the project has. A page that came by http from afar has no `crypto.subtle`. */
export const waysToSignIn = (): Way[] =>
  (Object.keys(words) as Way[]).filter(
    (way) => project.methods[way] && (way !== 'link' || isSecureContext),
  );

/** The one to begin with: that of a code on its way, if the project still has it, or else the first. */
export const firstOf = (ways: Way[]): Way | undefined => {
  const { until = 0 } = (history.state as KeptCode | null)?.code ?? {};
  return ways.includes('code') && until > Date.now() ? 'code' : ways[0];
};

/** The form of a mailed code or link: each is a file of its own, for projects that have it. */
export function MailedForm({ way, ...of }: CodeFormProps & { way: Way | undefined }) {
  if (way === undefined || way === 'password') return null;
  return <Later key={way} load={way === 'code' ? loadCodeForm : loadLinkForm} of={of} />;
}

type WaysProps = { ways: Way[]; way: Way | undefined; onChoose: (way: Way) => void };

/** The other ways, to change to. */
export const OtherWays = ({ ways, way, onChoose }: WaysProps) =>
  ways
    .filter((each) => each !== way)
    .map((each) => (
      <Way key={each} onClick={() => onChoose(each)}>
        {t(words[each])}
      </Way>
    ));
