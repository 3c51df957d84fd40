import type { Right } from '../../../local/aws/rights.ts';
import type { FunctionName } from '../../../shared/contract/functions.ts';

/** Rights that no request in test/grants.test.ts uses. */

/** Rights used only when two requests race. The named test of that race fails without the right. */
export const inContention: { [F in FunctionName]?: Right[] } = {
  // test/races/sign-in.test.ts: concurrent requests with the right code
  'codes.verify': ['get:codes'],
  // test/races/sign-in.test.ts: concurrent requests with the token and the code of a link
  'links.signIn': ['get:signInLinks'],
};

/** Rights of the previous release: a deployment may change a function's rights before its code. */
export const ofReleaseBefore: { [F in FunctionName]?: Right[] } = {};
