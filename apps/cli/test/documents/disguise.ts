import { createHash } from 'node:crypto'

const TIME = '2026-01-05T09:00:00.000Z'

interface Kind {
  readonly form: RegExp
  /** Of the same length, so that what stands aligned stays so. */
  readonly makeUp: (digest: string, real: string) => string
}

/** What the service makes up for each thing it stores. */
const IDS: readonly Kind[] = [
  {
    form: /\b(?:usr|agt|pat|lnk|inv)_[0-9A-Za-z]{24}\b/g,
    makeUp: (digest, real) =>
      real.slice(0, 4) + Buffer.from(digest).toString('base64url').replace(/[-_]/g, '').slice(0, 24),
  },
  {
    form: /\b[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
    makeUp: (digest, real) =>
      [
        `019b8d${digest.slice(0, 2)}`,
        digest.slice(2, 6),
        `${real[14]}${digest.slice(6, 9)}`,
        `8${digest.slice(9, 12)}`,
        digest.slice(12, 24),
      ].join('-'),
  },
  { form: /(?<=\btenant_\w+_)[0-9a-f]{8}\b/g, makeUp: (digest) => digest.slice(0, 8) },
  { form: /(?<=\bsvc_pat_)[0-9a-f]{8}\b/g, makeUp: (digest) => digest.slice(0, 8) },
]

/** Secrets are not for documents, whichever they are, and neither is when the document was made. */
const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/\b(svc_pat_|svc_|inv_code_)[0-9a-f]{60,64}\b/g, '$1…'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, TIME],
  [/\b(?:a|\d+) (?:seconds?|minutes?) ago\b/g, 'just now'],
]

/**
 * What differs from run to run, in the same disguise in all of them: the first id of a document is always the same
 * one, and so is the second.
 */
export class Disguise {
  readonly #shown = new Map<string, string>()
  readonly #real = new Map<string, string>()

  /** `places` are what stands for this machine, and what a document calls it. */
  constructor(private readonly places: readonly (readonly [real: string, shown: string])[]) {}

  /** A text with real ids as a document shows it. */
  put(text: string): string {
    let shown = text
    for (const [real, place] of this.places) shown = shown.replaceAll(real, place)
    for (const kind of IDS) shown = shown.replace(kind.form, (real) => this.#disguise(real, kind))
    for (const [form, replacement] of REPLACED) shown = shown.replace(form, replacement)
    return shown
  }

  /** What a document shows, as it can be typed. */
  lift(text: string): string {
    let meant = text
    for (const [real, place] of this.places) meant = meant.replaceAll(place, real)
    for (const [shown, real] of this.#real) meant = meant.replaceAll(shown, real)
    return meant
  }

  #disguise(real: string, { makeUp }: Kind): string {
    if (this.#real.has(real)) return real
    const known = this.#shown.get(real)
    if (known !== undefined) return known
    const shown = makeUp(createHash('sha256').update(`${this.#shown.size}`).digest('hex'), real)
    this.#shown.set(real, shown)
    this.#real.set(shown, real)
    return shown
  }
}
