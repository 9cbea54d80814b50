import { searchForm } from './search-form.js'

/** Latin letters whose accent is a part of them, and what search takes them for (PostgreSQL's `unaccent`). */
const BASE_LETTERS: ReadonlyMap<string, string> = new Map(
  (
    'æ=ae œ=oe ß=ss þ=th đ=d ð=d ɖ=d ɗ=d ħ=h ı=i ɨ=i ĸ=q ƙ=k ł=l ƚ=l ŋ=n ɲ=n ɳ=n ø=o ŧ=t ƭ=t ʈ=t ƀ=b ƃ=b ɓ=b ƈ=c ȼ=c ' +
    'ƒ=f ǥ=g ɠ=g ɛ=e ɇ=e ƥ=p ʂ=s ȿ=s ʉ=u ʋ=v ƴ=y ɏ=y ƶ=z ȥ=z ʐ=z ⱥ=a ⱦ=t ё=е'
  )
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]),
)

const EVERY_BASE_LETTER = new RegExp(`[${[...BASE_LETTERS.keys()].join('')}]`, 'gu')

/** Accents of alphabets that are often typed without them. In other scripts, marks are vowels. */
const ACCENTS = /(?<=[\p{sc=Latn}\p{sc=Grek}])\p{M}+/gu
const APOSTROPHES = /[‘’‛`´ʹʻʼʽˈ′]/g
const HYPHENS = /[‐‑‒–—―−]/g
const ASCII = /^[ -~]*$/

/**
 * The form in which names are compared wherever one is looked for: without case, accents and invisible characters, with
 * plain apostrophes, hyphens and single spaces. The forms of the parts of a text, divided between characters, make up the
 * form of the whole.
 */
export function foldedPart(text: string): string {
  const form = ASCII.test(text) ? text.toLowerCase() : withoutAccents(searchForm(text))
  return form.replace(APOSTROPHES, "'").replace(HYPHENS, '-').replace(/\s+/g, ' ')
}

/** The form of a whole name. */
export const foldName = (name: string): string => foldedPart(name).trim()

const withoutAccents = (text: string) =>
  text
    .normalize('NFD')
    .replace(ACCENTS, '')
    .normalize('NFC')
    .replace(EVERY_BASE_LETTER, (letter) => BASE_LETTERS.get(letter) as string)
