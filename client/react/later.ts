import { type ComponentType, createElement, type FC, useEffect, useState } from 'react';
import { alert, button } from './form.ts';
import { pageOf } from './page.ts';
import { useProvided } from './session.ts';
import type { Part } from './style.ts';
import { wordsFor } from './texts.ts';
import type { StrongTexts } from './texts-strong.ts';

/** What each part that comes later has: the parts of its look, and its words. */
export type PartProps = { part: Part; words: StrongTexts };

type Content<Props> = { Shown: ComponentType<Props & PartProps>; words: StrongTexts };

/**
 * A part that is loaded when it is first shown: a page that never shows it does not pay for it.
 * @param isQuiet shows nothing until it is there
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props & PartProps>>,
  isQuiet = false,
): FC<Props & Pick<PartProps, 'part'>> {
  return function Later(props) {
    const { part } = props;
    const { texts } = useProvided();
    const [content, setContent] = useState<Content<Props>>();
    const [failure, setFailure] = useState<unknown>();
    const [tries, setTries] = useState(0);
    useEffect(() => {
      let isOver = false;
      setFailure(undefined);
      Promise.all([load(), texts.strong()]).then(
        // The words of another language may come before those that were asked for first.
        ([Shown, words]) => isOver || setContent({ Shown, words }),
        (error: unknown) => {
          if (isOver) return;
          setFailure(error);
          // Chromium remembers an import that failed until the page is loaded anew. Without a connection, that would
          // lose the page; and what is there lacks the words of another language alone.
          const page = pageOf();
          if (tries > 0 && !content && page.navigator.onLine) page.location.reload();
        },
      );
      return () => {
        isOver = true;
      };
    }, [texts, tries]);
    if (content) return createElement(content.Shown, { ...props, words: content.words });
    if (failure !== undefined)
      return createElement(
        'div',
        null,
        alert(part, wordsFor(failure, texts)),
        button(part, texts.again, { onClick: () => setTries(tries + 1) }),
      );
    return !isQuiet && createElement('p', part('note'), texts.loading);
  };
}
