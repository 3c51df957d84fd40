/** A number of the command line. Throws for any other text: with NaN a run would check nothing, and pass. */
export function numberOf(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || Number.isNaN(number)) throw new Error(`'${text}' is no number.`);
  return number;
}
