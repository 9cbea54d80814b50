import { citations } from './markdown.js'

/**
 * Short labels for events and decisions that a language model may cite. It copies `e12` reliably, unlike a UUID, and an
 * invented label is detected.
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

  /** Returns the label of an event, if it has one. */
  known(id: string): string | null {
    return this.#labels.get(`event ${id}`) ?? null
  }

  #give(key: string, label: string, id: string): string {
    this.#labels.set(key, label)
    this.#ids.set(label, id)
    return label
  }

  /**
   * Makes a model's answer safe to show. Labels become citations of ids, invented labels are removed, and no other
   * square bracket remains. An event may have made the model write something harmful, so HTML is shown as text, and
   * links and images lose their syntax. A bare address remains, because it shows where it leads.
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
/** `[e12]`, and `[e12, d1]`, which models often write. */
const CITED = /\[ *[ed]\d+(?:[ ,;]+[ed]\d+)* *\]/g

const withoutBrackets = (text: string) => text.replaceAll('[', '(').replaceAll(']', ')')
