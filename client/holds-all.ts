/** Whether all that is wanted is held. False while that is not known, and if nothing is wanted. */
export const holdsAll = (held: readonly string[] | undefined, wanted: readonly string[]): boolean =>
  held !== undefined && wanted.length > 0 && wanted.every((each) => held.includes(each));
