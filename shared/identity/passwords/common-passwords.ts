import { dictionary } from '@zxcvbn-ts/language-common';

const common = new Set(dictionary['passwords-common']);

/** True if the password, in lower case, is one of those that attackers try first. */
export const isCommonPassword = (password: string): boolean => common.has(password);
