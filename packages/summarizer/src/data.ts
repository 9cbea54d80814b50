/**
 * A JSON object on one line that cannot end the line or its element: `<`, `>` and `&` are written as JSON escapes, so
 * neither `</events>` nor a model's control tokens can appear, whatever participants wrote.
 */
export const dataLine = (value: object): string =>
  JSON.stringify(value).replace(
    /[<>&\u007F-\u009F\u2028\u2029\u200E\u200F\u202A-\u202E\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

export const element = (name: 'events' | 'decisions' | 'notes', lines: readonly string[]): string =>
  `<${name}>\n${lines.join('\n')}\n</${name}>`
