/** Numbers in JSON texts, beyond what a double keeps of them. */

const NUMBER = /^-?(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** The digits of a number without zeros around them, and the power of ten of the last one. Null if it is no number. */
function decimalOf(token: string): { readonly digits: string; readonly exponent: number } | null {
  const [, whole, fraction = '', exponent = '0'] = NUMBER.exec(token) ?? []
  if (whole === undefined) return null
  const all = (whole + fraction).replace(/^0+/, '')
  let end = all.length
  while (all[end - 1] === '0') end--
  return { digits: all.slice(0, end), exponent: Number(exponent) - fraction.length + all.length - end }
}

/** Whether a number in a JSON text is an integer of which a double keeps other digits. */
export function losesDigits(token: string): boolean {
  const sent = decimalOf(token)
  if (sent === null || sent.exponent < 0) return false
  return decimalOf(String(Number(token)))?.digits !== sent.digits
}

/** Strings, and numbers outside of them, in a JSON text. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

/** Returns the first integer in a JSON text of which a double keeps other digits; null for none. */
export const lossyIntegerIn = (json: string): string | null =>
  json.match(TOKENS)?.find((token) => !token.startsWith('"') && losesDigits(token)) ?? null
