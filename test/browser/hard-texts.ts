/** Texts that break a page which is not made for them. */
export const word =
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';

/** A user whose texts have no place where a line may break. */
export const long = {
  email: `${'a'.repeat(60)}@${'long'.repeat(12)}.example.com`,
  display_name: word,
};

export const rightToLeft = {
  email: 'layla@example.com',
  display_name: 'לילה בת־אברהם ‏عبد الرحمن',
};
