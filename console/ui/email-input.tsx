import { TextInput } from '@mantine/core';

type Props = { email: string; onChange: (email: string) => void };

/** The e-mail that a dialog is about. */
export const EmailInput = ({ email, onChange }: Props) => (
  <TextInput
    label="E-mail"
    type="email"
    value={email}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
    required
    data-autofocus
  />
);
