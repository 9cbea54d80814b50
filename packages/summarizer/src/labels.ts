import { citations } from './markdown.js'

/**
 * Short names for what a language model may cite. It copies `e12` without a slip, which it does not do with a UUID,
 * and a label that was never given out is found out.
 */
export class Labels {
  readonly #ids = new Map<string, string>()
  readonly #labels = new Map<string, string>()
  #events = 0
  #decisions = 0

  event(id: string): string {
    return this.#labels.get(`event ${id}`) ?? this.#give(`event ${id}`, `e${++this.#events}`, id)
  }

  decision(id: string): string {
    return this.#labels.get(`decision ${id}`) ?? this.#give(`decision ${id}`, `d${++this.#decisions}`, id)
  }

  /** The label of an event that has one already. */
  known(id: string): string | null {
    return this.#labels.get(`event ${id}`) ?? null
  }

  #give(key: string, label: string, id: string): string {
    this.#labels.set(key, label)
    this.#ids.set(label, id)
    return label
  }

  /**
   * What a model wrote, made fit to show: labels become citations of ids, labels it invented disappear, and no other
   * square bracket is left. Its words may be those of an event that wanted to smuggle something in: HTML is shown as
   * text, and links and images fall apart (an address alone stays, because it shows where it leads).
   */
  toSummary(written: string): string {
    const text = written
      .toWellFormed()
      .replace(/\t/g, ' ')
      .replace(/(?![\n\u200C\u200D])[\p{Cc}\p{Cf}]/gu, '')
      .replace(/<(?!https?:\/\/[^\s<>]+>)/g, '&lt;')
    let summary = ''
    let from = 0
    for (const cited of text.matchAll(CITED)) {
      summary += withoutBrackets(text.slice(from, cited.index)) + this.#citations(cited[0])
      from = cited.index + cited[0].length
      // `[id](…` would be a link, and `[id]:` the definition of one.
      if (/[(:]/.test(text[from] ?? '')) summary += ' '
    }
    summary += withoutBrackets(text.slice(from))
    return `${summary.replace(/ +$/gm, '').trim()}\n`
  }

  #citations(cited: string): string {
    const labels = cited.match(LABEL) ?? []
    return citations(labels.flatMap((label) => this.#ids.get(label) ?? []))
  }
}

const LABEL = /[ed]\d+/g
/** `[e12]`, and `[e12, d1]` as models like to write it. */
const CITED = /\[ *[ed]\d+(?:[ ,;]+[ed]\d+)* *\]/g

const withoutBrackets = (text: string) => text.replaceAll('[', '(').replaceAll(']', ')')
