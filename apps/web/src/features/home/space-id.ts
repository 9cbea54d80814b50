import { foldName, LIMITS } from '@collab-spaces/client'

const SPACE_ID = /^[A-Za-z0-9][A-Za-z0-9._:@~-]*$/

/** Returns whether an ID is well-formed. The field limits its length. */
export const isSpaceId = (id: string): boolean => SPACE_ID.test(id)

/** Greek and Cyrillic letters as passports write them. */
const LATIN: ReadonlyMap<string, string> = new Map(
  (
    'α=a β=v γ=g δ=d ε=e ζ=z η=i θ=th ι=i κ=k λ=l μ=m ν=n ξ=x ο=o π=p ρ=r σ=s ς=s τ=t υ=y φ=f χ=ch ψ=ps ω=o ' +
    'а=a б=b в=v г=g ґ=g д=d ђ=d е=e є=ie ж=zh з=z и=i і=i ї=i й=i ј=j к=k л=l љ=lj м=m н=n њ=nj о=o п=p р=r с=s ' +
    'т=t ћ=c у=u ў=u ф=f х=kh ц=ts ч=ch џ=dz ш=sh щ=shch ъ=ie ы=y ь= э=e ю=iu я=ia'
  )
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]),
)

/**
 * Returns an ID derived from a title, in characters of an address. A title in a script without an alphabet that can be
 * transliterated, such as Chinese or Arabic, gets the first free number. Empty for a title without letters and digits.
 */
export function idFor(title: string, taken: readonly string[] = []): string {
  const id = [...foldName(title.normalize('NFKC'))]
    .map((letter) => LATIN.get(letter) ?? letter)
    .join('')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LIMITS.spaceId)
    .replace(/^-|-$/g, '')
  return id === '' && /[\p{L}\p{N}]/u.test(title) ? numbered(taken) : id
}

function numbered(taken: readonly string[]): string {
  let number = 1
  while (taken.includes(`space-${number}`)) number++
  return `space-${number}`
}
