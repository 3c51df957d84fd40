import type { Right } from '../../../local/aws/rights.ts';
import type { FunctionName } from '../../../shared/contract/functions.ts';

/** Rights that no request in test/grants.test.ts uses. */

/** Rights used only when two requests race. The named test of that race fails without the right. */
export const inContention: { [F in FunctionName]?: Right[] } = {
  // test/functions/codes/verify.test.ts: is good once, however many come with it at once
  'codes.verify': ['get:codes'],
  // test/functions/links/sign-in.test.ts: signs in once, by token and code at once
  'links.signIn': ['get:signInLinks'],
};

/** Rights of the previous release: a deployment may change a function's rights before its code. */
export const ofReleaseBefore: { [F in FunctionName]?: Right[] } = {};
