import { cutBefore } from '../cut.js'
import { weightOf } from './script.js'

/**
 * How many tokens a text has for a language model, without its vocabulary. The weights were fitted to `o200k_base`, so
 * that ordinary text in any language, and what machines write, never has more tokens than estimated. English has
 * about a third fewer, program code about half.
 */

/** Its name, as answers show it. It changes whenever a text would be estimated differently. */
export const ESTIMATOR = 'chars-o200k-1'

/** In tokens. A word begins with one, and its next letters are mostly part of it. */
const WORD = 1
const LETTERS_IN_FIRST = 3
const LETTER = 0.35
const CAPITAL = 0.35
const FIRST_CAPITAL = 0.15
/** A letter that rarely follows the one before, as in random strings. */
const ODD_LETTER = 0.6
const ACCENTED = 1
/** Accented letters of few languages, and what one adds right behind another. */
const RARE_ACCENTED = 1.7
const ACCENTED_AGAIN = 0.9
const MARK = 1
const NEXT_MARK = 0.75
/** In lines drawn with it. */
const SAME_MARK = 0.3
const DRAWN_WITH = new Set('-=*#_./'.split('').map((mark) => mark.charCodeAt(0)))
const LONG_GAP = 16
/** From this weight on, a character does not join the space before it. */
const ALONE = 2.4

const MARGIN = 1.04
/** Texts of a word or two are the hardest to estimate. */
const FEW = 2

/** Letters that follow each of the 26, in languages that are written with them. */
const FOLLOWERS = [
  'abcdfghijklmnoprstuvyz aeiloru aehikortu adeios acdefgiklmnoprstuvwxyz aioru aehioru aeiortu abcdegjklmnoprstvyz',
  'aeios aeiorsu adegilostu abeio acdegiknostuy abcdefgklmnoprstuvw aeiortu u abcdegiklmnorstuvy acehiklopstuw',
  'aehiorstuy abdegilmnprst aeio aehio - aes aei',
].flatMap((line) => line.split(' '))

const A = 0x61
const FOLLOWS = new Uint8Array(26 * 26)
for (const [letter, followers] of FOLLOWERS.entries()) {
  for (const follower of followers.replace('-', '')) FOLLOWS[letter * 26 + follower.charCodeAt(0) - A] = 1
}

/** An estimate that is rather too high than too low. Never more than the estimates of the parts of a text together. */
export const estimateTokens = (text: string): number => Math.ceil(measure(text, Number.POSITIVE_INFINITY).weight) + FEW

/** As much of the beginning of a text as has so many tokens. */
export function cutToTokens(text: string, maxTokens: number): string {
  return text.slice(0, cutBefore(text, measure(text, maxTokens - FEW).end))
}

/** The weight of a text, up to the first character with which it would be too much. */
function measure(text: string, maxTokens: number): { readonly weight: number; readonly end: number } {
  const scale = new Scale()
  let weight = 0
  for (let i = 0; i < text.length; ) {
    const point = text.codePointAt(i) as number
    const next = scale.add(point) * MARGIN
    if (next > maxTokens) return { weight, end: i }
    weight = next
    i += point > 0xffff ? 2 : 1
  }
  return { weight, end: text.length }
}

const SPACE = 0x20
const isGap = (point: number) => point === SPACE || (point >= 0x09 && point <= 0x0d)
const isDigit = (point: number) => point >= 0x30 && point <= 0x39
const isUpper = (point: number) => point >= 0x41 && point <= 0x5a
const isLetter = (point: number) => isUpper(point) || (point >= A && point <= 0x7a)
const isAccented = (point: number) => point >= 0xc0 && point < 0x250

/** Weighs a text character by character. */
class Scale {
  #total = 0
  #before = 0
  /** How many letters the word has so far, digits the number, or times the character has been repeated. */
  #run = 0

  /** The weight of the text with this character at its end. */
  add(point: number): number {
    this.#total += this.#weigh(point)
    this.#before = point
    return this.#total
  }

  #weigh(point: number): number {
    if (isLetter(point)) return this.#letter(point)
    if (isGap(point)) return this.#gap(point)
    if (isAccented(point)) return this.#accented(point)
    if (isDigit(point)) return this.#digit()
    return point < 0x80 ? this.#mark(point) : this.#other(point)
  }

  #letter(point: number): number {
    const before = this.#before
    const isCapital = isUpper(point)
    // A capital after a small letter begins another word: `camelCase`.
    const continues = this.#isInWord() && !(isCapital && isLetter(before) && !isUpper(before))
    this.#run = continues ? this.#run + 1 : 1
    if (!continues) return WORD + (isCapital ? FIRST_CAPITAL : 0)
    const isOdd = isLetter(before) && FOLLOWS[((before | 0x20) - A) * 26 + (point | 0x20) - A] === 0
    return (this.#run > LETTERS_IN_FIRST ? LETTER : 0) + (isOdd ? ODD_LETTER : 0) + (isCapital ? CAPITAL : 0)
  }

  #accented(point: number): number {
    const isInWord = this.#isInWord()
    this.#run = isInWord ? this.#run + 1 : 1
    return (
      (isInWord ? 0 : WORD) +
      (point < 0x180 ? ACCENTED : RARE_ACCENTED) +
      (isAccented(this.#before) ? ACCENTED_AGAIN : 0)
    )
  }

  #isInWord(): boolean {
    return isLetter(this.#before) || isAccented(this.#before)
  }

  /** Three at a time. A number does not join the space before it. */
  #digit(): number {
    const isFirst = !isDigit(this.#before)
    const space = this.#spaceBefore()
    this.#run = isFirst ? 1 : this.#run + 1
    return (this.#run % 3 === 1 ? 1 : 0) + space
  }

  /** A single space belongs to the word after it. */
  #gap(point: number): number {
    const isSame = point === this.#before
    this.#run = isSame ? this.#run + 1 : 1
    const begins = this.#run === (point === SPACE ? 2 : 1)
    return (begins ? 1 : 0) + (this.#run % LONG_GAP === 0 ? 1 : 0)
  }

  #mark(point: number): number {
    if (point === this.#before) return DRAWN_WITH.has(point) ? SAME_MARK : MARK
    return this.#before >= 0x80 || isGap(this.#before) || this.#isInWord() || isDigit(this.#before) ? MARK : NEXT_MARK
  }

  #other(point: number): number {
    const weight = weightOf(point)
    return weight >= ALONE ? weight + this.#spaceBefore() : weight
  }

  #spaceBefore(): number {
    return this.#before === SPACE && this.#run === 1 ? 1 : 0
  }
}
