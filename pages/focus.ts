const fields = 'input:not([type=hidden]), select, textarea';
/** A row that comes at the end of a list, where one has gone, is not in its place. */
const rows = 'li, tr';
const words = '[role=status], [role=alert], [aria-busy], p';

/**
 * Gives the focus to what comes in the place of what had it. A form that was sent, or a button that shows another form, goes
 * away with the focus; the browser then gives it to nobody, so that what somebody types goes nowhere and a screen reader says
 * nothing. A part that takes the focus by itself has it by then.
 */
export function keepFocus(): void {
  let lastFocus: Element | undefined;
  addEventListener('focusin', ({ target }) => {
    lastFocus = target as Element;
  });
  new MutationObserver((mutations) => {
    if (!lastFocus || lastFocus.isConnected || document.activeElement !== document.body) return;
    const addedElements = mutations
      .flatMap(({ addedNodes }) => [...addedNodes])
      .filter(
        (node) => node instanceof HTMLElement && node.isConnected && !node.matches(rows),
      ) as HTMLElement[];
    const next = firstOf(addedElements, fields) ?? firstOf(addedElements, words);
    if (!next) return;
    if (!next.matches(fields)) next.tabIndex = -1;
    next.focus();
  }).observe(document.body, { childList: true, subtree: true });
}

/** The first of some elements, or in them, that fits. */
function firstOf(elements: readonly HTMLElement[], selector: string): HTMLElement | undefined {
  for (const element of elements) {
    const found = element.matches(selector)
      ? element
      : element.querySelector<HTMLElement>(selector);
    if (found) return found;
  }
  return undefined;
}
