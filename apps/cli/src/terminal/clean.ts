/** Line breaks and tabs are not among them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/**
 * Text of others on its way to a terminal: without the control characters by which it could move the cursor, change
 * the title of the window or hide what it says. Line breaks and tabs stay.
 */
export const clean = (text: string): string => text.replace(/\r\n/g, '\n').replace(CONTROLS, '\ufffd')

/** The same in one line, for a cell of a table. */
export const cleanLine = (text: string): string => clean(text).replace(/\s+/g, ' ').trim()

/** JSON of the same value, without those characters: in its texts they may be written as escapes. */
export const cleanJson = (json: string): string =>
  json.replace(CONTROLS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
