/** Whether all that is wanted is held. False while that is not known, and if nothing is wanted. */
export const holdsAll = (
  permissions: readonly string[] | undefined,
  wanted: readonly string[],
): boolean =>
  permissions !== undefined &&
  wanted.length > 0 &&
  wanted.every((each) => permissions.includes(each));
