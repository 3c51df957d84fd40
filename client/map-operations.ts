/** The operations, by group and name, each changed. */
export const mapOperations = <From, To>(
  groups: object,
  change: (operation: From) => To,
): Record<string, Record<string, To>> =>
  mapValues(groups, (group: object) => mapValues(group, change));

const mapValues = <From, To>(object: object, change: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value as From)]));
