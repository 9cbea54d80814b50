import { weighted, zipf } from './chance.mjs'

/** Texts in several languages of our own make, whose words and characters are as unequal as those of real ones. */

/** @import { Chance } from './chance.mjs' */

/** How long a text is, in characters; without spaces the same is said in fewer. */
const LENGTH = 300
const UNSPACED_LENGTH = 90

const VOCABULARY = 30_000
const wordRank = zipf(VOCABULARY)

/** @param {string} consonants @param {string} vowels */
const syllables = (consonants, vowels) => [...consonants].flatMap((first) => [...vowels].map((last) => first + last))

/** @param {readonly string[]} parts @param {string} ending @returns {(rank: number) => string} */
function spelling(parts, ending) {
  return (rank) => {
    let word = ''
    for (let rest = rank + parts.length; rest > 0; rest = Math.floor(rest / parts.length)) {
      word = parts[rest % parts.length] + word
    }
    return word + ending
  }
}

/** The word of a rank, 1 being the commonest. No stemmer changes it, and no stop word is like it. */
export const word = spelling(syllables('bdfgklmnprtv', 'aou'), 'x')

const accented = spelling(syllables('bdfglmnprst', 'éàüñô'), 's')
const cyrillic = spelling(syllables('бвгдклмнпрст', 'аоиу'), 'й')

/** The Chinese character of a rank. */
export const character = (/** @type {number} */ rank) => String.fromCodePoint(0x4e00 + rank * 7)

/** @param {(rank: number) => string} spell @returns {(chance: Chance) => string} */
function spaced(spell) {
  return (chance) => {
    let text = spell(wordRank(chance))
    while (text.length < LENGTH - 5) text += ` ${spell(wordRank(chance))}`
    return text
  }
}

/** @param {number} count @param {(rank: number) => string} spell @returns {(chance: Chance) => string} */
function unspaced(count, spell) {
  const rank = zipf(count)
  return (chance) => {
    let text = ''
    while (text.length < UNSPACED_LENGTH) text += spell(rank(chance))
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

/** A text of some 300 characters in one of the languages. @param {Chance} chance */
export function text(chance) {
  const { say } = /** @type {(typeof LANGUAGES)[number]} */ (LANGUAGES[language(chance)])
  return say(chance)
}
