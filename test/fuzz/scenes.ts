import { setTimeout as sleep } from 'node:timers/promises';
import { basic } from '../model/tokens.ts';
import { codeChallenge } from './resolve.ts';
import {
  bearer,
  type Call,
  goodPassword,
  makeScene,
  readMails,
  type Scene,
  sessionOf,
} from './scene.ts';
import { type Request, type Response, toCurl } from './send.ts';
import { type Finding, type Target } from './target.ts';

/** Attempts to create a scene if one of its calls fails. */
const scenesTried = 8;

/** The scenes that requests use: the newest few, and one of another project. */
export class Scenes {
  all: Scene[] = [];
  private readonly exchange: (request: Request) => Promise<{ response: Response; flaws: string[] }>;
  private readonly found: (finding: Finding) => void;
  private target: Target;
  private elsewhere: Scene | undefined;
  private made = 0;

  /** @param exchange sends a request of a scene and checks its response; @param found receives a wrong response */
  constructor(target: Target, exchange: Scenes['exchange'], found: Scenes['found']) {
    this.target = target;
    this.exchange = exchange;
    this.found = found;
  }

  /** Continues with another service, or another table behind it, without any known values. */
  async begin(target: Target): Promise<void> {
    this.target = target;
    const [ours, theirs] = target.projects;
    this.all = [];
    this.elsewhere = await this.make({ ...target, projects: [theirs, ours] });
    await this.add();
    await this.askForMails();
  }

  get newest(): Scene {
    return this.all.at(-1) as Scene;
  }
  /** A scene of the other project. */
  get foreign(): Scene {
    return this.elsewhere ?? this.newest;
  }

  /** Creates the users and the workspace of the next requests. */
  async add(): Promise<void> {
    const before = this.all.at(-1);
    const scene = await this.make(this.target);
    // These belong to the project, not to the users.
    if (before) Object.assign(scene, { webhook_id: before.webhook_id, asset: before.asset });
    this.all.push(scene);
    // Only the newest few, so that requests concentrate on them.
    this.all.splice(0, this.all.length - 4);
  }

  /** On an overloaded machine a call may fail, or succeed without a response: then another scene is created. */
  private async make(target: Target): Promise<Scene> {
    for (let tried = 1; ; tried += 1)
      try {
        this.made += 1;
        return await makeScene(this.made, target, this.calling(`127.1.${this.made % 250}.1`));
      } catch (error) {
        if (tried === scenesTried) throw error;
        await sleep(500 * tried);
      }
  }

  /** Requests the mails with the tokens that operations need, for users of the newest scene, and reads them. */
  async askForMails(): Promise<void> {
    for (let tried = 1; ; tried += 1)
      try {
        return await this.mailTo(this.newest);
      } catch (error) {
        if (tried === scenesTried) throw error;
        await this.add();
      }
  }

  private async mailTo(scene: Scene): Promise<void> {
    const { owner, outsider, colleague } = scene.people;
    const { project_id } = this.target.projects[0];
    const call = this.calling(scene.address);
    const started = await call('POST', '/codes', '', { project_id, email: colleague.email });
    scene.challenges.set(colleague.email, started.challenge_id);
    scene.link = undefined;
    await call('POST', '/links', '', {
      project_id,
      email: colleague.email,
      challenge: codeChallenge,
    });
    await call('POST', '/passwords/forgotten', '', { project_id, email: owner.email });
    await call('POST', '/users/me/email/verification', bearer(outsider.session));
    const came = () =>
      [owner, outsider].every(({ mailToken }) => mailToken !== undefined) &&
      scene.code &&
      scene.link;
    for (let i = 0; i < 200 && !came(); i += 1) await readMails([scene], this.target);
    const token = owner.mailToken;
    if (owner.password !== '' || token === undefined) return;
    // It ends all earlier sessions.
    const set = await call('POST', '/passwords', '', { project_id, token, password: goodPassword });
    Object.assign(owner, { password: goodPassword, session: sessionOf(set) });
    const other = await call('POST', '/sessions', basic(this.target.projects[0]), {
      uid: owner.uid,
    });
    owner.other = sessionOf(other);
    await call('POST', '/passwords/forgotten', '', { project_id, email: owner.email });
    for (let i = 0; i < 200 && owner.mailToken === token; i += 1)
      await readMails([scene], this.target);
  }

  private calling(from: string): Call {
    return async (method, path, authorization, body) => {
      const request = {
        ...{ method, path, from },
        headers: {
          ...(authorization !== '' && { authorization }),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      };
      const { response, flaws } = await this.exchange(request);
      if (flaws.length > 0 && response.status !== 503)
        this.found({
          operation: `${method} ${path}`,
          flaws,
          request: toCurl(this.target.url, request),
          smallest: '',
        });
      if (response.status >= 300)
        throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
      return JSON.parse(response.text);
    };
  }
}
