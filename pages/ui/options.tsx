/** Values of a choice, each with its words. */
export type Options = readonly (readonly [value: string | number, words: string])[];

/** The options of a `select`. */
export const OptionList = ({ of }: { of: Options }) =>
  of.map(([value, words]) => (
    <option key={value} value={value}>
      {words}
    </option>
  ));
