import { createHash } from 'node:crypto'
import { hostname } from 'node:os'

interface Kind {
  readonly form: RegExp
  /** Returns a replacement of the same form and length, which keeps columns aligned. */
  readonly makeUp: (digest: string, real: string) => string
}

/** The IDs that the service generates. */
const IDS: readonly Kind[] = [
  {
    form: /\b(?:usr|agt|pat|lnk|inv|cod|whk|fil)_[0-9A-Za-z]{24}\b/g,
    makeUp: (digest, real) =>
      real.slice(0, 4) + Buffer.from(digest, 'hex').toString('base64').replace(/\W/g, '').slice(0, 24),
  },
  {
    form: /\b[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
    makeUp: (digest, real) =>
      [
        `019b8d${digest.slice(0, 2)}`,
        digest.slice(2, 6),
        real[14] + digest.slice(6, 9),
        `8${digest.slice(9, 12)}`,
        digest.slice(12, 24),
      ].join('-'),
  },
  { form: /(?<=\bconversation-)[0-9a-f]{32}\b/g, makeUp: (digest) => digest.slice(0, 32) },
  { form: /(?<=\btenant_\w+_)[0-9a-f]{8}\b/g, makeUp: (digest) => digest.slice(0, 8) },
  { form: /(?<=\bsvc_pat_)[0-9a-f]{8}\b/g, makeUp: (digest) => digest.slice(0, 8) },
]

/** Secrets are not for documents, and times would change with every run. */
const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/\b(svc_pat_|svc_|inv_code_|agt_code_)[0-9a-f]{60,64}\b/g, '$1…'],
  [/\bwhsec_(?:[0-9A-Za-z+/]{43}=|[\w-]{43}\b)/g, 'whsec_…'],
  [/\b\d+ ms\b/g, '12 ms'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-01-05T09:00:00.000Z'],
  [/── \w+, \d+ \w+ \d{4} ──/g, '── Monday, 5 January 2026 ──'],
  [/(?<![\w:.-])(?:\d{4}-\d\d-\d\d )?\d\d:\d\d(?![\w:.])/g, '09:00'],
  [/\b(?:a|\d+) (?:seconds?|minutes?) ago\b/g, 'just now'],
]

/** In a list of tokens, replaces the name of this machine. */
const nameOfMachine = (cell: string, name: string) =>
  name === hostname() ? `${'laptop'.padEnd(cell.length - 2)}  ` : cell

/** Maps values that differ from run to run to the names in a document. */
export class Disguise {
  readonly #shown = new Map<string, string>()
  readonly #real = new Map<string, string>()

  /** `places` maps values of this machine to those of a document. */
  constructor(private readonly places: readonly (readonly [real: string, shown: string])[]) {}

  /** Returns a text as a document shows it. If the document has the same number of IDs, takes those. */
  put(text: string, document: string): string {
    let shown = text
    for (const [real, place] of this.places) shown = shown.replaceAll(real, place)
    shown = shown.replace(/(?<=^pat_\w{24} +)(\S+) {2,}/gm, nameOfMachine)
    for (const kind of IDS) {
      this.#learn(idsIn(shown, kind), idsIn(document, kind))
      shown = shown.replace(kind.form, (real) => this.#disguiseOf(real, kind))
    }
    for (const [form, replacement] of REPLACED) shown = shown.replace(form, replacement)
    return shown
  }

  /** Returns a text of a document with the real values, so that it can be typed. */
  lift(text: string): string {
    let meant = text
    for (const [real, place] of this.places) meant = meant.replaceAll(place, real)
    for (const [shown, real] of this.#real) meant = meant.replaceAll(shown, real)
    return meant
  }

  #learn(reals: readonly string[], names: readonly string[]): void {
    if (reals.length !== names.length) return
    for (const [index, real] of reals.entries()) this.#call(real, names[index] as string)
  }

  /** Keeps the first name of a value: a document that reuses a name for two values would mislead. */
  #call(real: string, name: string): void {
    if (this.#shown.has(real) || this.#real.has(name)) return
    this.#shown.set(real, name)
    this.#real.set(name, real)
  }

  #disguiseOf(real: string, { makeUp }: Kind): string {
    this.#call(real, makeUp(createHash('sha256').update(real).digest('hex'), real))
    return this.#shown.get(real) as string
  }
}

const idsIn = (text: string, { form }: Kind): string[] => text.match(form) ?? []
