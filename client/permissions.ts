import type { PageAuth } from './auth.ts';
import { claimsIn } from './claims.ts';
import { holdsAll } from './holds-all.ts';

/**
 * Whether the signed-in user has all these permissions in a workspace; without one: in the active workspace. False if
 * nobody is signed in, if the user is no member, and for a permission or workspace that does not exist. Use it to
 * decide what a page shows; the service and your backend check it again.
 */
export type Can = (
  permissions: string | readonly string[],
  workspaceId?: string,
) => Promise<boolean>;

/** How names are formed. For one that is not so, the service would refuse everything that is asked for with it. */
const workspaceForm = /^wid-[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const permissionForm = /^(?=.{1,64}$)[a-z][a-z\d-]*:[a-z][a-z\d-]*$/;

/** How many questions fit into a request. */
const maxChecks = 50;

type Question = {
  user_id: string;
  workspace_id: string;
  permission: string;
  resolve: (allowed: boolean) => void;
  reject: (error: unknown) => void;
};

/**
 * Makes the `can` of a session; make it once. For the active workspace the access token answers, as things were when it
 * was issued: at most 10 minutes ago, or an hour where somebody acts as the user. For another one, and where a token
 * has no room for all permissions, the service is asked: once for all that is asked for at the same time. No answer is
 * kept. What it makes throws `ApiError` if the service does not answer with a success, and what `fetch` throws.
 */
export function createCan(auth: Pick<PageAuth, 'api' | 'getAccessToken'>): Can {
  /** Answers that are under way. */
  const pendingAnswers = new Map<string, Promise<boolean>>();
  let queue: Question[] = [];

  function ask(user_id: string, workspace_id: string, permission: string): Promise<boolean> {
    const key = `${user_id} ${workspace_id} ${permission}`;
    let answer = pendingAnswers.get(key);
    if (!answer) {
      answer = new Promise<boolean>((resolve, reject) => {
        if (queue.length === 0) setTimeout(sendAll);
        queue.push({ user_id, workspace_id, permission, resolve, reject });
      }).finally(() => pendingAnswers.delete(key));
      pendingAnswers.set(key, answer);
    }
    return answer;
  }

  function sendAll(): void {
    const questions = queue;
    queue = [];
    for (const uid of new Set(questions.map(({ user_id }) => user_id))) {
      const questionsOfUser = questions.filter(({ user_id }) => user_id === uid);
      for (let i = 0; i < questionsOfUser.length; i += maxChecks)
        void send(questionsOfUser.slice(i, i + maxChecks));
    }
  }

  async function send(questions: Question[]): Promise<void> {
    // Names the user: the service refuses the question if another user has signed in since.
    const checks = questions.map(({ user_id, workspace_id, permission }) => ({
      user_id,
      workspace_id,
      permissions: [permission],
    }));
    try {
      const { results } = (await auth.api.permissions.check({ checks })).body;
      questions.forEach(({ resolve }, i) => resolve(results[i]?.allowed === true));
    } catch (error) {
      for (const { reject } of questions) reject(error);
    }
  }

  return async (permissions, workspaceId) => {
    const required = [permissions].flat();
    const token = await auth.getAccessToken();
    if (token === undefined) return false;
    const active = claimsIn(token);
    const workspace = workspaceId ?? active.workspace_id;
    if (workspace === active.workspace_id && active.permissions)
      return holdsAll(active.permissions, required);
    if (
      !workspaceForm.test(workspace ?? '') ||
      !required.every((each) => permissionForm.test(each))
    )
      return false;
    const answers = await Promise.all(
      required.map((each) => ask(active.sub, workspace ?? '', each)),
    );
    return answers.length > 0 && answers.every(Boolean);
  };
}
