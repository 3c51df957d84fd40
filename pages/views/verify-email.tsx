import { ConfirmEmail } from '../ui/confirm-email.tsx';
import type { View } from '../view.ts';

export const view: View = { title: 'verifyEmail', for: 'user', Show: ConfirmEmail };
