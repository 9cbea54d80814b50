/** Texts whose words are as unequal as those of a language: the word of rank r comes 1/r as often as the first. */

const SYLLABLES = [...'bdfgklmnprtv'].flatMap((consonant) => [...'aou'].map((vowel) => consonant + vowel))
const VOCABULARY = 30_000
const CHARACTERS = 400

/** The word of a rank, 1 being the commonest. No stemmer changes it and no stop word is like it. */
export function word(rank) {
  let text = ''
  for (let rest = rank + SYLLABLES.length; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    text = SYLLABLES[rest % SYLLABLES.length] + text
  }
  return `${text}x`
}

/** The Chinese character of a rank. */
export const character = (rank) => String.fromCodePoint(0x4e00 + rank * 7)

/** A generator of numbers from 0 to 1 that gives the same run for the same seed. */
export function random(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

function zipf(count) {
  const sums = new Float64Array(count)
  let sum = 0
  for (let rank = 1; rank <= count; rank++) {
    sum += 1 / rank
    sums[rank - 1] = sum
  }
  return (chance) => {
    let low = 0
    let high = count - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (sums[middle] < chance * sum) low = middle + 1
      else high = middle
    }
    return low + 1
  }
}

const wordRank = zipf(VOCABULARY)
const characterRank = zipf(CHARACTERS)

/** A text of some 300 characters; one in twenty has a run of Chinese in it. */
export function text(chance) {
  let said = ''
  if (chance() < 0.05) {
    for (let i = 0; i < 12; i++) said += character(characterRank(chance()))
  }
  while (said.length < 295) said += ` ${word(wordRank(chance()))}`
  return said.trim()
}
