import { expect, test } from 'vitest';
import { isLogo, logoFrom } from '#shared/operator/logo.ts';

const bytes = (...given: number[]) => Buffer.from(given);
const text = (given: string) => Buffer.from(given);
const png = bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13);
const webp = Buffer.concat([text('RIFF'), bytes(4, 0, 0, 0), text('WEBPVP8 ')]);

test.each([
  ['image/png', png],
  ['image/webp', webp],
  ['image/svg+xml', text('<svg/>')],
  ['image/svg+xml', text('<svg xmlns="http://www.w3.org/2000/svg"></svg>')],
  ['image/svg+xml', text('\ufeff<?xml version="1.0"?>\n<!-- Made by -->\n<!DOCTYPE svg>\n<svg >')],
])('an image of type %s becomes a data: URL of that type', (type, image) => {
  const url = logoFrom(image);
  expect(url).toBe(`data:${type};base64,${image.toString('base64')}`);
  expect(isLogo(url ?? '')).toBe(true);
});

test.each([
  ['an empty file', text('')],
  ['a page', text('<!doctype html><svg></svg>')],
  ['a page with a comment before', text('<!-- a --><html><svg></svg></html>')],
  ['a document type with its own declarations', text('<!DOCTYPE svg [<!ENTITY a "b">]><svg/>')],
  ['a JPEG', bytes(0xff, 0xd8, 0xff, 0xe0)],
  ['a sound file', Buffer.concat([text('RIFF'), bytes(4, 0, 0, 0), text('WAVEfmt ')])],
  ['an element whose name only begins with svg', text('<svgx>')],
])('%s is not a logo', (_, image) => {
  expect(logoFrom(image)).toBeUndefined();
});

test.each([
  ['the type of another image', `data:image/webp;base64,${png.toString('base64')}`],
  ['bits that base64 ignores', `data:image/svg+xml;base64,PHN2Zz5=`],
  ['a line break', `data:image/png;base64,${png.toString('base64')}\n`],
  ['a parameter', `data:image/png;charset=x;base64,${png.toString('base64')}`],
])('a data: URL is refused with %s', (_, url) => {
  expect(isLogo(url)).toBe(false);
});

test('many comments without an element are refused quickly', () => {
  expect(logoFrom(text('<!---->'.repeat(1_000)))).toBeUndefined();
});
