/** The parts of a page that the focus can go to when what had it has gone. */
const parts = 'section, [role=tabpanel], main';
/** Milliseconds in which a dialog that closes gives the focus back by itself. */
const pause = 50;

const nobodyHasIt = () =>
  document.activeElement === null || document.activeElement === document.body;

/**
 * Keeps the focus where somebody works. A browser takes it from a button that is disabled while its request is under way,
 * and from one that goes away with its row; the next key would then begin at the top of the page, and a screen reader
 * says nothing. A button has it again once it can be pressed. What has gone leaves it to the part of the page around it.
 */
export function keepFocus(): void {
  /** What had the focus last, and all around it, from the inside. */
  let path: HTMLElement[] = [];
  let wasDisabled = false;
  let isPlanned = false;
  addEventListener('focusin', ({ target }) => {
    path = [];
    wasDisabled = false;
    for (let each = target as HTMLElement | null; each; each = each.parentElement) path.push(each);
  });
  const look = () => {
    isPlanned = false;
    const [last] = path;
    if (!last || !nobodyHasIt()) return;
    const isDisabled = last.matches(':disabled');
    if (last.isConnected && !isDisabled) {
      if (wasDisabled) last.focus();
      return;
    }
    if (last.isConnected && last.hasAttribute('data-loading')) return;
    const part = path.find((each) => each.isConnected && each.matches(parts));
    if (!part) return;
    part.tabIndex = -1;
    part.focus({ preventScroll: true });
  };
  new MutationObserver(() => {
    if (path[0]?.matches(':disabled')) wasDisabled = true;
    if (isPlanned) return;
    isPlanned = true;
    setTimeout(look, pause);
  }).observe(document, { subtree: true, childList: true, attributeFilter: ['disabled'] });
}
