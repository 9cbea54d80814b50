/** Stands for a `*` in front, which not every browser parses. */
const ANY = 'any.'

/** Origins in one form. Throws a TypeError for what is none. */
export function originsOf(given: readonly string[]): string[] {
  return given.map((one) => {
    const [, scheme = '', any = '', rest = ''] = /^(https?:\/\/)(\*\.)?([^*]+)$/i.exec(one) ?? []
    const url = `${scheme}${any && ANY}${rest}`
    const parsed = URL.canParse(url) ? new URL(url) : undefined
    if (!parsed || parsed.href !== `${parsed.origin}/`) {
      throw new TypeError('mayMoveTo: must be origins, such as https://b.example.org or https://*.example.org')
    }
    return any ? parsed.origin.replace(ANY, any) : parsed.origin
  })
}

/** Whether an origin is among others, or is one of them with its first label in place of the `*`. */
export const isAmong = (origins: readonly string[], origin: string): boolean =>
  origins.includes(origin) || origins.includes(origin.replace(/^(https?:\/\/)[^.]+\./, '$1*.'))
