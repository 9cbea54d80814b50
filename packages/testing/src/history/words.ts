import { type Random, weighted, zipf } from './random.js'

/** Texts in several artificial languages, with realistic word and character frequencies. */

/** The length of a text in characters; languages without spaces need fewer. */
const LENGTH = 300
const UNSPACED_LENGTH = 90

const VOCABULARY = 30_000
const wordRank = zipf(VOCABULARY)

/** Returns the word, or the character, of a rank, 1 being the most frequent. */
type Spelling = (rank: number) => string

const syllables = (consonants: string, vowels: string) =>
  [...consonants].flatMap((first) => [...vowels].map((last) => first + last))

function spelling(parts: readonly string[], ending: string): Spelling {
  return (rank) => {
    let word = ''
    for (let rest = rank + parts.length; rest > 0; rest = Math.floor(rest / parts.length)) {
      word = parts[rest % parts.length] + word
    }
    return word + ending
  }
}

/** A form that no stemmer changes and that resembles no stop word. */
export const word = spelling(syllables('bdfgklmnprtv', 'aou'), 'x')

const accented = spelling(syllables('bdfglmnprst', 'éàüñô'), 's')
const cyrillic = spelling(syllables('бвгдклмнпрст', 'аоиу'), 'й')

/** Chinese. */
export const character: Spelling = (rank) => String.fromCodePoint(0x4e00 + rank * 7)

function spaced(spell: Spelling): (random: Random) => string {
  return (random) => {
    let text = spell(wordRank(random))
    while (text.length < LENGTH - 5) text += ` ${spell(wordRank(random))}`
    return text
  }
}

function unspaced(count: number, spell: Spelling): (random: Random) => string {
  const rank = zipf(count)
  return (random) => {
    let text = ''
    while (text.length < UNSPACED_LENGTH) text += spell(rank(random))
    return text
  }
}

/** The frequency of each language in percent, and its word function. */
const LANGUAGES = [
  { share: 78, say: spaced(word) },
  { share: 8, say: spaced(accented) },
  { share: 6, say: spaced(cyrillic) },
  { share: 4, say: unspaced(400, character) },
  { share: 2, say: unspaced(80, (rank) => String.fromCodePoint(0x3041 + rank)) },
  { share: 1, say: unspaced(40, (rank) => String.fromCodePoint(0x0e01 + rank)) },
  { share: 1, say: unspaced(400, (rank) => String.fromCodePoint(0xac00 + rank * 28)) },
]

const language = weighted(LANGUAGES.map(({ share }) => share))

/** Returns a text of some 300 characters in one of the languages. */
export function text(random: Random): string {
  const { say } = LANGUAGES[language(random)] as (typeof LANGUAGES)[number]
  return say(random)
}
