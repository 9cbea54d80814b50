import { type Random, weighted, zipf } from './random.js'

/** Texts in several languages of our own make, whose words and characters are as unequal as those of real ones. */

/** How long a text is, in characters; without spaces the same is said in fewer. */
const LENGTH = 300
const UNSPACED_LENGTH = 90

const VOCABULARY = 30_000
const wordRank = zipf(VOCABULARY)

/** The word, or the character, of a rank, 1 being the commonest. */
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

/** No stemmer changes it, and no stop word is like it. */
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

/** How often each language is spoken, in hundredths, and how. */
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

/** A text of some 300 characters in one of the languages. */
export function text(random: Random): string {
  const { say } = LANGUAGES[language(random)] as (typeof LANGUAGES)[number]
  return say(random)
}
