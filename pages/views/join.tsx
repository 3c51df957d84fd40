import { loadJoiningTexts } from '../texts/joining.ts';
import { JoinWorkspace } from '../ui/join-workspace.tsx';
import type { View } from '../view.ts';

export const view: View = {
  title: 'join',
  for: 'user',
  loadTexts: loadJoiningTexts,
  Show: JoinWorkspace,
};
