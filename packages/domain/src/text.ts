/** Length in code points, which is what every limit counts. */
export function codePoints(text: string): number {
  let count = text.length
  for (let i = 0; i < text.length - 1; i++) {
    const unit = text.charCodeAt(i)
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const next = text.charCodeAt(i + 1)
      if (next >= 0xdc00 && next <= 0xdfff) {
        count--
        i++
      }
    }
  }
  return count
}

/**
 * Why a text cannot be stored, or null if it can. PostgreSQL cannot store NUL, and half a surrogate pair has no UTF-8
 * form: a driver would replace it silently.
 */
export function textProblem(text: string): string | null {
  if (text.includes('\0')) return 'must not contain the NUL character'
  if (!text.isWellFormed()) return 'must not contain an unpaired surrogate'
  return null
}

/** Whether a text is base64 as RFC 4648 has it: whole groups, without white space. */
export const isBase64 = (text: string): boolean =>
  /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)
