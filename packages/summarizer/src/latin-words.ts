/** Latin letters of one character each, with or without an accent. An accent that follows its letter is not among them. */
const LETTER = 'A-Za-zªµºÀ-ÖØ-öø-ɏ'

/** Text of only such letters, digits, spaces and common marks. */
const LATIN = /^[\t\n\x20-\x7E¡-¬®-·¹-ɏ‘’“”„–—…•€]*$/

/** A mark is part of a word between two letters ("don't", "e.g"), or between two digits ("1,000"). */
const WORD = new RegExp(`(?:[${LETTER}\\d_]|(?<=[${LETTER}])[.:·'‘’](?=[${LETTER}])|(?<=\\d)[.,;'‘’](?=\\d))+`, 'g')

/**
 * Returns the words of a text in Latin letters, as `Intl.Segmenter` finds them in English, which takes twenty times as
 * long on Node 20. Null for a text with other characters.
 */
export function latinWords(text: string): string[] | null {
  if (!LATIN.test(text)) return null
  return text.match(WORD)?.filter((word) => word !== '_') ?? []
}
