import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { User } from '../client/generated/api.ts';
import { page } from './address.ts';
import { hrefOf } from './href.ts';
import { project } from './project.ts';
import { t } from './texts.ts';

/** The name of somebody, as other people see it. */
export const nameOf = ({
  display_name,
  name,
  email,
  uid,
}: Pick<User, 'display_name' | 'name' | 'email' | 'uid'>) =>
  display_name || name.formatted || `${name.given_name} ${name.family_name}`.trim() || email || uid;

type FrameProps = {
  title: string;
  user: User | undefined;
  wide: true | undefined;
  children: ComponentChildren;
};

/** What is around every page: the project, where to go, and the heading. */
export function Frame({ title, user, wide, children }: FrameProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(title);
  useLayoutEffect(() => {
    // Somebody has signed in on the spot: another page begins, as after a navigation.
    if (before.current !== title) heading.current?.focus();
    before.current = title;
  }, [title]);
  const { logo, links = {} } = project.branding ?? {};
  const brand = (
    <>
      {logo && <img src={logo} alt="" height={32} />} <span dir="auto">{project.name}</span>
    </>
  );
  const to = (name: string, words: string) => (
    <li>
      <a href={hrefOf(name)} aria-current={page === name ? 'page' : undefined}>
        {words}
      </a>
    </li>
  );
  return (
    <>
      <header>
        <div class="brand">{links.home ? <a href={links.home}>{brand}</a> : brand}</div>
        {user && (
          <nav aria-label={t('navigation')}>
            <ul>
              {to('workspaces', t('workspaces'))}
              {to('account', t('account'))}
              {to('sign-out', t('signOut'))}
            </ul>
          </nav>
        )}
      </header>
      <main class={wide && 'wide'}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {children}
      </main>
      <footer>
        <ul>
          {links.terms && <Link href={links.terms}>{t('terms')}</Link>}
          {links.privacy && <Link href={links.privacy}>{t('privacy')}</Link>}
          {links.support && <Link href={links.support}>{t('support')}</Link>}
        </ul>
      </footer>
    </>
  );
}

const Link = ({ href, children }: { href: string; children: string }) => (
  <li>
    <a href={href} rel="noopener">
      {children}
    </a>
  </li>
);
