/**
 * Controls that move the cursor, begin an escape sequence, or reorder text: C0 without tabs and line feeds, DEL, C1,
 * line and paragraph separators, and bidirectional embeddings, overrides and isolates.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
const CONTROLS = /(?!\r\n)[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/** Scripts in which a joiner or a non-joiner changes the form of the letters around it. */
const JOINING = ['Arabic', 'Syriac', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil']
  .concat('Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Myanmar', 'Khmer', 'Tibetan')
  .map((script) => `\\p{Script=${script}}`)
  .join('')

/**
 * Characters that draw nothing, such as zero-width spaces, directional marks, tags and fillers: two texts that differ
 * only in them look alike. Four uses stay, each a single character with a visible effect on its neighbours: the joiner
 * within an emoji, joiners between letters of a joining script, the emoji or text form of a symbol, and the variant of
 * an ideograph. Tag sequences are dropped, so the flags of England, Scotland and Wales become a black flag.
 */
const INVISIBLE = new RegExp(
  '[\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb]' +
    '(?<![\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f]\\u200d(?=\\p{Extended_Pictographic}))' +
    `(?<![${JOINING}][\\u200c\\u200d](?=[${JOINING}]))` +
    '(?<!\\p{Emoji}[\\ufe0e\\ufe0f])' +
    '(?<!\\p{Script=Han}[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}])',
  'gu',
)

/** Returns foreign text that is safe to print, with its line breaks and tabs. */
export const clean = (text: string): string =>
  text
    .replace(/\r\n|[\u2028\u2029]/g, '\n')
    .replace(CONTROLS, '\ufffd')
    .replace(INVISIBLE, '')

/** Returns foreign text that is safe to print, as one line. */
export const cleanLine = (text: string): string => clean(text).replace(/\s+/g, ' ').trim()

/** Returns JSON of the same value that is safe to print: controls and invisible characters become `\u` escapes. */
export const cleanJson = (json: string): string => json.replace(CONTROLS, escaped).replace(INVISIBLE, escaped)

const escaped = (characters: string) =>
  Array.from({ length: characters.length }, (_, index) => characters.charCodeAt(index))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('')
