/** Whether all that is required is held. False while that is not known, and if nothing is required. */
export const holdsAll = (
  permissions: readonly string[] | undefined,
  required: readonly string[],
): boolean =>
  permissions !== undefined &&
  required.length > 0 &&
  required.every((each) => permissions.includes(each));
