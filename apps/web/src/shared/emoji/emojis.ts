import { foldName } from '@collab-spaces/client'
import { useQuery } from '@tanstack/react-query'
import { type Language, language } from '../../languages/language'

export interface Emoji {
  readonly emoji: string
  /** In the language of the page. */
  readonly name: string
  /** All names, in the form of `foldName`: in the language of the page, and in English. */
  readonly names: readonly string[]
  /** Words for it, in the same form. */
  readonly words: readonly string[]
}

/** `emoji-names.mjs` writes them: a line per emoji, in the same order in all languages. */
const NAMES: { readonly [Name in Language]: () => Promise<{ readonly default: string }> } = {
  en: () => import('./names/en.txt?raw'),
  de: () => import('./names/de.txt?raw'),
  ar: () => import('./names/ar.txt?raw'),
}

/** Returns all emoji, loaded when they are needed first. */
export const useEmojis = (isNeeded = true) =>
  useQuery({
    queryKey: ['emojis'],
    queryFn: () => loadEmojis(language),
    enabled: isNeeded,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })

export async function loadEmojis(shown: Language): Promise<readonly Emoji[]> {
  const [own, english] = await Promise.all([NAMES[shown](), NAMES.en()])
  if (own === english) return linesOf(own.default)
  const others = linesOf(english.default)
  return linesOf(own.default).map(({ names, words, ...one }, at) => ({
    ...one,
    names: [...names, ...(others[at]?.names ?? [])],
    words: [...words, ...(others[at]?.words ?? [])],
  }))
}

const linesOf = (text: string): Emoji[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [emoji = '', name = '', names = '', words = ''] = line.split('\t')
      return { emoji, name, names: names.split('|'), words: words.split('|').filter(Boolean) }
    })

const formOf = (typed: string) => foldName(typed.replaceAll('_', ' '))

/**
 * Returns the emoji with a name or word that begins with what is typed: those that are named so first, then those whose
 * name begins so, then others.
 */
export function findEmojis(emojis: readonly Emoji[], typed: string, limit: number): readonly Emoji[] {
  const form = formOf(typed)
  const found: Emoji[][] = [[], [], [], []]
  for (const one of emojis) found[rankOf(one, form)]?.push(one)
  return found.flat().slice(0, limit)
}

function rankOf({ names, words }: Emoji, form: string): number {
  if (names.includes(form)) return 0
  if (names.some((name) => name.startsWith(form))) return 1
  if (words.some((word) => word.startsWith(form))) return 2
  return [...names, ...words].some((term) => term.includes(` ${form}`)) ? 3 : Number.POSITIVE_INFINITY
}

/** Returns the emoji with exactly a name, such as `tada` or `white_check_mark`: the first of several. */
export const emojiNamed = (emojis: readonly Emoji[], name: string): Emoji | undefined => {
  const form = formOf(name)
  return emojis.find(({ names }) => names.includes(form))
}
