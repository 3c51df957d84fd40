import { TextInput, type TextInputProps } from '@mantine/core';

/** The e-mail that a dialog is about. */
export const EmailInput = (input: Pick<TextInputProps, 'value' | 'onChange'>) => (
  <TextInput label="E-mail" type="email" {...input} required data-autofocus />
);
