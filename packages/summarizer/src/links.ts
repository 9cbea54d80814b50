import type { SummarizedEvent } from './event.js'

/** A web address in a text. It ends at a space, a quotation mark, a bracket, or a script without spaces. */
export const URLS =
  /https?:\/\/[^\s<>"'`“”„«»（）「」『』【】《》、。，！？；：\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Hangul}\p{C}]+/giu

/** Longer addresses are omitted, as are further ones beyond the limits below. */
const MAX_URL_LENGTH = 2_048
const REMEMBERED = 5_000
const PER_EVENT = 100
const CITED = 3

export interface MentionedLink {
  readonly url: string
  /** The first events that mention it; `count` is the total. */
  readonly events: string[]
  count: number
}

/** Collects the web addresses of events, each once, in the order of their first mention. */
export class Links {
  readonly #byUrl = new Map<string, MentionedLink>()

  add(event: SummarizedEvent): void {
    const urls = new Set<string>()
    for (const found of urlsIn(event.text)) addUrl(urls, found)
    for (const reference of event.references) addUrl(urls, reference)
    for (const url of urls) this.#mention(url, event.event_id)
  }

  #mention(url: string, eventId: string): void {
    const known = this.#byUrl.get(url)
    if (known) {
      known.count++
      if (known.events.length < CITED) known.events.push(eventId)
      return
    }
    if (this.#byUrl.size < REMEMBERED) this.#byUrl.set(url, { url, events: [eventId], count: 1 })
  }

  all(): MentionedLink[] {
    return [...this.#byUrl.values()]
  }
}

function urlsIn(text: string): string[] {
  if (!text.includes('://')) return []
  const found: string[] = []
  for (const [url] of text.matchAll(URLS)) {
    found.push(withoutTrailingMarks(url))
    if (found.length === PER_EVENT) break
  }
  return found
}

/** Adds the address as the URL standard spells it, which cannot end Markdown's `<…>` early. */
function addUrl(urls: Set<string>, text: string): void {
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text)) return
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return
  // A summary must not contain passwords, and `https://bank.example@evil.example` is misleading.
  url.username = ''
  url.password = ''
  const rest = url.href.slice(url.origin.length).replace(/[<>\s`\\[\]]/g, encodeURIComponent)
  if (rest.length <= MAX_URL_LENGTH) urls.add(url.origin + rest)
}

/** "(see https://example.com/a_(b).)" means `https://example.com/a_(b)`. */
function withoutTrailingMarks(url: string): string {
  let unopened = url.split(')').length - url.split('(').length
  let end = url.length
  while (end > 0) {
    const last = url[end - 1] ?? ''
    if (last === ')' && unopened > 0) unopened--
    else if (!/[.,;:!?*_~\]}|]/.test(last)) break
    end--
  }
  return url.slice(0, end)
}
