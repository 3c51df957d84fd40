import type { Api } from '../generated/api.ts';
import type { cookieRoutes } from '../generated/cookie-routes.ts';

type Called = typeof cookieRoutes;
/** The operations that the handler calls. */
export type HandlerClient = {
  [Group in keyof Called]: Pick<Api[Group], Extract<keyof Called[Group], keyof Api[Group]>>;
};
