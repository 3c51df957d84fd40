import { goodPassword, signInProject } from '../sign-in.ts';
import { writeCaptchaSecret } from '../siteverify.ts';
import type { World } from '../world.ts';

/** Makes each function that requires a captcha read the verification keys. */
export async function useCaptchas(world: World): Promise<void> {
  const { post } = await signInProject(world, {
    captcha: {
      ...{ provider: 'turnstile', site_key: 'key', rule: 'always' },
      hostnames: ['www.example.com'],
    },
  });
  // Instances do not cache an invalid secret, so each function reads it.
  await writeCaptchaSecret('no keys');
  const email = 'captcha@example.com';
  const challenge = 'c'.repeat(43);
  const doors = {
    '/sessions/password': { password: goodPassword },
    '/sign-up': {},
    '/passwords/forgotten': {},
    '/codes': {},
    '/links': { challenge },
  };
  for (const [path, body] of Object.entries(doors)) {
    const { status } = (await post(path, { email, ...body, captcha_token: 'token' })) as {
      status: number;
    };
    if (status !== 503) throw new Error(`${path} answered ${status}.`);
  }
}
