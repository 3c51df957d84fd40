import * as z from 'zod';

// Control characters forge log lines; bidirectional overrides make one name look like another. Without classes such as
// \p{Cc}, which readers of the OpenAPI document know only by a flag.
/** One line of what people can see. */
// oxlint-disable-next-line eslint/no-control-regex
export const plain = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/;
/** Lines of it. */
export const plainLines =
  // oxlint-disable-next-line eslint/no-control-regex
  /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]*$/;

/** Whether it has no half of a surrogate pair. */
export const isWellFormed = (value: string): boolean => value.isWellFormed();

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
