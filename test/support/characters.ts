import fc from 'fast-check';

/** Any character, as the unit `binary` of fast-check, whose first use takes five seconds. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10_ff_ff - 0x8_00 })
  // Leaves out the surrogates.
  .map((at) => String.fromCodePoint(at < 0xd8_00 ? at : at + 0x8_00));
