/** Whether a text is shown in one line, as it is: without line breaks, tabs and other control characters. */
export const isOneLine = (text: string): boolean => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)

/**
 * Returns a text as one line without invisible characters: controls, and format characters such as those that
 * change the direction of what follows.
 */
export const plainLine = (text: string): string =>
  text
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()

/**
 * Returns a name for a mail to a stranger, as one line: `otherwise` for a name with an address in it, which the mail would
 * link to, or an empty one.
 */
export function nameForStrangers(name: string, otherwise: string): string {
  const line = plainLine(name)
  return line === '' || /\S[.:/@\uff0e\u3002\uff61\uff0f\uff1a\uff20]\S/.test(line) ? otherwise : line
}

/** Neither blank nor invisible, nor a mark without a letter. Some blank characters count as letters or symbols. */
const VISIBLE = /[^\p{Cc}\p{Cf}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{1d159}]/u

/** Whether a text has a character that readers see. */
export const isVisible = (text: string): boolean => VISIBLE.test(text)
