import { beforeAll, describe, expect, test } from 'vitest';
import { routes } from '#shared/contract/api.ts';
import type { NamedRoute } from '#shared/contract/paths.ts';
import { escapeHtml } from '#shared/mail/sanitize.ts';
import { credentialFor, pointersOf, routeCaller } from '../contract/calls.ts';
import {
  type Schema,
  sampleOf,
  schemaOf,
  type TextPlace,
  textPlacesOf,
} from '../contract/samples.ts';
import { type Person, startWorld } from '../support/world.ts';
import { naughty } from './naughty.ts';

const world = await startWorld({ subscribers: false });
const { basic } = world.project;
const call = routeCaller(world);
/** OAuth parameters are checked together with the client: test/attack/oauth-redirects.test.ts. */
const withText = (routes as readonly NamedRoute[]).filter(
  (route) => route.accepts !== 'form' && textPlacesOf(route).length > 0,
);
let person: Person;
beforeAll(async () => {
  person = await world.user();
});

/** Characters that no name or text may have: they forge log lines, hide or reorder text, or are no text. */
const unfit = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;
const breaks = /[\n\r\t]/g;
const separators = /[\u2028\u2029]/;

const isPassword = ({ schema }: TextPlace) => schema.format === 'password';
/** Whether a field accepts text in any script. */
const isFree = ({ schema }: TextPlace) => JSON.stringify(schema).includes(String.raw`\\u202a`);
const isMultiline = ({ schema }: TextPlace) =>
  JSON.stringify(schema).includes(String.raw`\\u0008\\u000b`);
/** Whether a field accepts any text, because another system interprets it. */
const isOpaque = ({ schema }: TextPlace) =>
  schema.pattern === undefined && schema.format === undefined && schema.example === undefined;

async function verdict(route: (typeof routes)[number], place: TextPlace, text: string) {
  const { data, error } = (await route.body?.safeParseAsync(place.put(text))) ?? {};
  if (error) return { refused: [...new Set(error.issues.map(({ path }) => `/${path.join('/')}`))] };
  let kept: unknown = data;
  for (const name of place.at.split('/').slice(1)) kept = (kept as Record<string, unknown>)[name];
  return { kept };
}

describe('every text field stores an unusual text unchanged, or refuses it with its own pointer', () => {
  test.each(withText)('$name', async (route) => {
    for (const place of textPlacesOf(route))
      for (const text of naughty) {
        const { refused, kept } = await verdict(route, place, text);
        const what = `${place.at} ${JSON.stringify(text)}`;
        if (refused) {
          expect(refused, what).toEqual([place.at]);
          continue;
        }
        expect(kept, what).toBe(isPassword(place) ? text.normalize('NFKC') : text);
        if (isFree(place)) {
          expect(isMultiline(place) ? text.replaceAll(breaks, '') : text, what).not.toMatch(unfit);
          if (!isMultiline(place)) expect(text, what).not.toMatch(separators);
        } else if (!isPassword(place) && !isOpaque(place))
          expect(text, what).toMatch(/^[\x20-\x7e]*$/);
      }
  });

  test('a profile accepts any other text: any script, emoji, quotes and markup', async () => {
    const route = routes.find(({ name }) => name === 'users.update')!;
    const places = textPlacesOf(route).filter((place) => isFree(place));
    expect(places.map(({ at }) => at)).toContain('/name/given_name');
    for (const place of places)
      for (const text of naughty) {
        const fit = !unfit.test(isMultiline(place) ? text.replaceAll(breaks, '') : text);
        const { kept } = await verdict(route, place, text);
        const onePlace = isMultiline(place) || !separators.test(text);
        expect(kept, `${place.at} ${JSON.stringify(text)}`).toBe(
          fit && onePlace ? text : undefined,
        );
      }
  });
});

describe('a maximum length counts characters, as the OpenAPI document says', () => {
  test.each(withText)('$name', async (route) => {
    for (const place of textPlacesOf(route)) {
      const { maxLength } = place.schema;
      if (!isFree(place) || maxLength === undefined) continue;
      for (const character of ['x', 'é', '李', '👩']) {
        const longest = character.repeat(maxLength);
        expect((await verdict(route, place, longest)).kept, place.at).toBe(longest);
        const longer = await verdict(route, place, longest + character);
        expect(longer.refused, place.at).toEqual([place.at]);
      }
    }
  });
});

/** Mails insert it into text that a mail program could take for an address. */
const joiner = '\u200c';

/** Whether a text is visible: only visible text is a valid name. */
const isSeen = (text: string) => /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
/** Texts that are valid names. */
const names = naughty.filter(
  (text) => !unfit.test(text) && !separators.test(text) && text !== '\ufffd',
);

describe('accepted text is stored and shown unchanged', { timeout: 120_000 }, () => {
  test('in the profile of a user, in every response that contains it', async () => {
    const owner = await world.user();
    const { workspace_id } = await world.workspace({ owner });
    for (const text of names) {
      const profile = {
        display_name: text,
        preferred_username: text,
        name: { given_name: text, family_name: text, formatted: text },
        about_me: text,
        current_location: text,
        photos: [{ value: 'https://example.com/', type: text, display: text.slice(0, 100) }],
      };
      const one = await world.user(profile);
      await world.member({ workspace_id, owner }, 'member', one);
      expect(one.user).toMatchObject(profile);
    }
    const list = await world.call(
      'GET',
      `/workspaces/${workspace_id}/users?status=accepted&limit=100`,
      owner.bearer,
    );
    // In the order of the users' creation.
    const listed = list.body.result.slice(1) as Person['user'][];
    expect(listed.map(({ display_name }) => display_name)).toEqual(names);
    expect(listed.map(({ name }) => name.formatted)).toEqual(names);
    const uids = listed.map(({ uid }) => uid);
    const body = { uids, limit: 100 };
    const found = await world.call('POST', '/users/search', basic, body);
    expect(found.body.result.map((user: { about_me: string }) => user.about_me)).toEqual(names);
    await world.drainStream();
    const created = world.events().filter(({ type }) => type === 'user.created');
    const fromEvents = new Map(
      created.map(({ data }) => {
        const { uid, display_name } = data['user'] as Person['user'];
        return [uid, display_name];
      }),
    );
    // Unset fields are absent.
    expect(uids.map((uid) => fromEvents.get(uid) ?? '')).toEqual(names);
    // A search for a name finds its user; blank text is not a name.
    for (const [i, text] of names.entries()) {
      if (!isSeen(text)) continue;
      const query = `status=accepted&limit=100&query=${encodeURIComponent(text)}`;
      const path = `/workspaces/${workspace_id}/users?${query}`;
      const { status, body: page } = await world.call('GET', path, basic);
      expect(status, text).toBe(200);
      expect(
        page.result.map(({ uid }: { uid: string }) => uid),
        text,
      ).toContain(uids[i]);
    }
  });

  test('in the name and description of a workspace, which a search for the text finds', async () => {
    const owner = await world.user();
    const named = names.filter(isSeen);
    for (const text of named) {
      const made = await world.workspace({ owner, name: text, description: text });
      expect(made).toMatchObject({ name: text, description: text });
    }
    const list = (query = '') =>
      world
        .call('GET', `/workspaces?limit=100${query}`, owner.bearer)
        .then(({ body }) => body.result.map(({ name }: { name: string }) => name));
    expect((await list()).toSorted()).toEqual(named.toSorted());
    for (const text of named)
      expect(await list(`&query=${encodeURIComponent(text)}`), text).toContain(text);
  });

  test('in the message of an invitation, whose mail escapes it', async () => {
    const place = await world.workspace();
    const path = `/workspaces/${place.workspace_id}/invitations`;
    const words = names.filter((text) => text !== '').slice(0, 60);
    const rows = words.map((message, i) => ({
      email: `words${i}@example.com`,
      role: 'member',
      message,
    }));
    // As many as a slow machine completes in time.
    for (let i = 0; i < rows.length; i += 10) {
      const some = rows.slice(i, i + 10);
      const { body } = await world.call('POST', path, basic, { invitations: some });
      expect(body.invited).toBe(some.length);
    }
    const { body } = await world.call('GET', `${path}?limit=100`, basic);
    const shown = new Map(
      body.result.map((each: { email: string; message: string }) => [each.email, each.message]),
    );
    expect(rows.map(({ email }) => shown.get(email))).toEqual(words);
    await world.drainStream();
    for (const { email, message } of rows) {
      const mail = world.mails().find(({ to }) => to === email);
      expect([mail?.subject, mail?.from].join(), email).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
      expect(mail?.html, message).not.toMatch(/<script|<img src=x/);
      if (/[<"&]/.test(message))
        // A quotation mark in the message must not end the surrounding ones.
        expect(mail?.html.replaceAll(joiner, '')).toContain(
          escapeHtml(message.replaceAll('"', "'")),
        );
    }
  });
});

describe('similar e-mails', () => {
  test.each([
    ['a Cyrillic letter', 'аda@example.com'],
    ['a full-width letter', 'ａda@example.com'],
    ['the Kelvin sign, which is k in lower case', '\u212Aim@example.com'],
    ['a dotted capital I', 'İda@example.com'],
    ['a combining mark', 'e\u0301da@example.com'],
    ['a composed letter', 'éda@example.com'],
    ['a zero-width space', 'a\u200bda@example.com'],
    ['a soft hyphen', 'a\u00adda@example.com'],
    ['an override', '\u202eada@example.com'],
    ['a full-width @', 'ada＠example.com'],
    ['an ideographic full stop', 'ada@example。com'],
    ['a domain that is not ASCII', 'ada@exämple.com'],
    ['a line break at its end', 'ada@example.com\n'],
    ['a blank at its end', 'ada@example.com '],
    ['a quoted local part', '"ada"@example.com'],
    ['a comment', 'ada(x)@example.com'],
    ['a second address', 'ada@example.com,eve@example.com'],
    ['a dot at the end of the domain', 'ada@example.com.'],
    ['half a character', 'a\ud800da@example.com'],
  ])('%s is refused', async (_, email) => {
    const { status, body } = await world.call('POST', '/users', basic, { email });
    expect([status, body.errors?.[0]?.pointer]).toEqual([400, '/body/email']);
  });

  test('different mailboxes are different users, and case makes no difference', async () => {
    const different = [
      'ada.l@example.com',
      'adal@example.com',
      'ada.l+x@example.com',
      'ada-l@example.com',
      'ada.l@xn--exmple-cua.com',
      'ada.1@example.com',
    ];
    const uids = new Set<string>();
    for (const email of different) {
      const { status, body } = await world.call('POST', '/users', basic, { email });
      expect([status, body.email]).toEqual([201, email]);
      uids.add(body.uid);
    }
    expect(uids.size).toBe(different.length);
    for (const email of different) {
      const upper = await world.call('POST', '/users', basic, { email: email.toUpperCase() });
      expect([upper.status, uids.has(upper.body.uid), upper.body.email]).toEqual([
        200,
        true,
        email,
      ]);
    }
  });
});

describe('a character that becomes ASCII in lower case is refused in every e-mail and domain', () => {
  const isDomain = ({ example }: Schema) => example === 'example.com';
  const isAddress = (schema: Schema) => schema.format === 'email' || isDomain(schema);
  const inBodies = routes.flatMap((route) =>
    textPlacesOf(route)
      .filter(({ schema }) => isAddress(schema))
      .map((place) => ({ route, name: `${route.name} ${place.at}`, place })),
  );
  const inUrls = routes.flatMap((route) =>
    (['params', 'query'] as const).flatMap((part) =>
      Object.entries(route[part] ? (schemaOf(route[part]).properties ?? {}) : {})
        .filter(([, schema]) => isAddress(schema))
        .map(([key, schema]) => ({ route, name: `${route.name} ${key}`, part, key, schema })),
    ),
  );
  // The Kelvin sign is k in lower case: without a check, this would be a user of kelvin.example.com.
  const written = (schema: Schema) =>
    isDomain(schema)
      ? ['\u212aelvin.example.com']
      : ['kim@\u212aelvin.example.com', '\u212aim@example.com'];

  test.each(inBodies)('$name', async ({ route, place }) => {
    const auth = credentialFor(route, world, person);
    for (const text of written(place.schema)) {
      const answer = await call(route, { body: place.put(text) as Record<string, unknown>, auth });
      expect([answer.status, ...pointersOf(answer)]).toEqual([400, `/body${place.at}`]);
    }
  });

  test.each(inUrls)('$name', async ({ route, part, key, schema }) => {
    const auth = credentialFor(route, world, person);
    const { [part]: right } = sampleOf(route);
    for (const text of written(schema)) {
      const answer = await call(route, { [part]: { ...right, [key]: text }, auth });
      const pointer = `/${part === 'params' ? 'path' : part}/${key}`;
      expect([answer.status, ...pointersOf(answer)]).toEqual([400, pointer]);
    }
  });

  test('the cases cover every e-mail and domain field', () => {
    const places = [...inBodies, ...inUrls].map(({ name }) => name);
    for (const place of [
      'users.create /email',
      'users.update /email',
      'passwords.signUp /email',
      'passwords.signIn /email',
      'passwords.forgot /email',
      'codes.start /email',
      'links.start /email',
      'emails.change /email',
      'invitations.create /email',
      'invitations.create /invitations/0/email',
      'invitations.endByEmail email',
      'workspaces.setAllowedDomains /allowed_domains/0',
      'domains.set domain',
      'domains.prove domain',
    ])
      expect(places).toContain(place);
  });
});

test('a password is equal in every Unicode normal form, and in no other variation', async () => {
  const route = routes.find(({ name }) => name === 'passwords.set')!;
  const place = textPlacesOf(route).find((each) => isPassword(each))!;
  const kept = async (text: string) => (await verdict(route, place, text)).kept;
  const composed = 'pässwörter sind läng\u00e9';
  expect(await kept(composed.normalize('NFD'))).toBe(await kept(composed));
  expect(await kept(`${composed} `)).not.toBe(await kept(composed));
  expect(await kept(composed.toUpperCase())).not.toBe(await kept(composed));
});
