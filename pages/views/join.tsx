import { loadMailedTexts } from '../texts/mailed.ts';
import { JoinWorkspace } from '../ui/join-workspace.tsx';
import type { View } from '../view.ts';

export const view: View = {
  title: 'join',
  for: 'user',
  loadTexts: loadMailedTexts,
  Show: JoinWorkspace,
};
