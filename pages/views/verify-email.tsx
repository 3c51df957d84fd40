import { loadMailedTexts } from '../texts/mailed.ts';
import { ConfirmEmail } from '../ui/confirm-email.tsx';
import type { View } from '../view.ts';

export const view: View = {
  title: 'verifyEmail',
  for: 'user',
  loadTexts: loadMailedTexts,
  Show: ConfirmEmail,
};
