import * as z from 'zod';

/** At most so many characters, as JSON Schema counts them in `maxLength`: code points, not halves of surrogate pairs. */
export function atMost(maximum: number) {
  const check = z.check<string>(({ value: input, issues }) => {
    // No text has more code points than code units.
    if (input.length > maximum && Array.from(input).length > maximum)
      issues.push({ code: 'too_big', origin: 'string', maximum, inclusive: true, input });
  });
  // Whoever makes the document of it asks there.
  // oxlint-disable-next-line eslint/no-underscore-dangle
  check._zod.onattach.push(({ _zod }) => void (_zod.bag['maximum'] = maximum));
  return check;
}
