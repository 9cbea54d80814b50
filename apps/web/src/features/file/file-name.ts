import { LIMITS } from '@collab-spaces/client'
import { attachTexts } from './texts'

/** Types by extension that not every browser knows. */
const TYPES: Readonly<Record<string, string>> = { md: 'text/markdown', csv: 'text/csv', avif: 'image/avif' }

const UNTYPED = 'application/octet-stream'

/** Returns the type of a file for the server, which takes only well-formed ones. */
export function contentTypeOf({ name, type }: Pick<File, 'name' | 'type'>): string {
  const known = TYPES[name.split('.').at(-1)?.toLowerCase() ?? '']
  return known ?? (/^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : UNTYPED)
}

/** Returns a name that the server takes: one line without slashes, with its extension. */
export function validName(name: string): string {
  const line = name.replace(/[/\\\p{Cc}\p{Zl}\p{Zp}]/gu, '_').trim()
  const dot = line.lastIndexOf('.')
  const extension = dot > 0 ? [...line.slice(dot)].slice(0, 20).join('') : ''
  const stem = [...(dot > 0 ? line.slice(0, dot) : line)].slice(0, LIMITS.fileName - [...extension].length).join('')
  return /^\.{0,2}$/.test(stem + extension) ? '_' : stem + extension
}

/** Returns the name of a pasted file. Browsers call every pasted image `image.png`. */
export function pastedName(name: string, at: Date): string {
  if (!/^image\.\w+$/.test(name)) return name
  const pad = (value: number) => String(value).padStart(2, '0')
  const day = [at.getFullYear(), pad(at.getMonth() + 1), pad(at.getDate())].join('-')
  const clock = [at.getHours(), at.getMinutes(), at.getSeconds()].map(pad).join('.')
  return `${attachTexts.pasted(`${day} ${clock}`)}${name.slice('image'.length)}`
}
