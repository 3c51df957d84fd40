import { textOn } from './contrast.ts';
import { project } from './project.ts';

/** Shows the color of the project. By the CSSOM: the policy of the pages refuses styles in the HTML. */
export function applyBranding(): void {
  const { color } = project.branding ?? {};
  if (color === undefined) return;
  const { style } = document.documentElement;
  style.setProperty('--brand', color);
  style.setProperty('--on-brand', textOn(color));
}
