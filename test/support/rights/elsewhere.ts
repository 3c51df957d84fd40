import type { Right } from '../../../local/aws/rights.ts';
import type { FunctionName } from '../../../shared/contract/functions.ts';

/** Rights that no request of test/grants.test.ts uses. */

/** What is used only where two requests meet; the test that makes them meet fails without the right. */
export const inContention: { [F in FunctionName]?: Right[] } = {
  // test/functions/codes/verify.test.ts: is good once, however many come with it at once
  'codes.verify': ['get:codes'],
  // test/functions/links/sign-in.test.ts: signs in once, by token and code at once
  'links.signIn': ['get:signInLinks'],
};

/** What the release before used: a deployment may change the rights of a function before its code. */
export const ofReleaseBefore: { [F in FunctionName]?: Right[] } = {};
