/** Control characters but line breaks and tabs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/**
 * Other people's text, safe for a terminal: without the control characters that could move the cursor, change the
 * title of the window or hide text.
 */
export const clean = (text: string): string => text.replace(/\r\n/g, '\n').replace(CONTROLS, '\ufffd')

/** The same on one line, for the cell of a table. */
export const cleanLine = (text: string): string => clean(text).replace(/\s+/g, ' ').trim()

/** The same JSON value with control characters escaped. */
export const cleanJson = (json: string): string =>
  json.replace(CONTROLS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
