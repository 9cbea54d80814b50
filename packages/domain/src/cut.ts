/**
 * Cuts texts by length, between what readers see as characters (graphemes): not within an emoji, a flag, or a letter and
 * its marks. Every cut of a text goes through here.
 */

/** Made when first needed: that takes a noticeable part of a short command's time. */
let segmenter: Intl.Segmenter | undefined

/** Returns the beginning of a text, with at most `max` code points. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  const index = indexAfter(text, max)
  return index < text.length ? text.slice(0, cutBefore(text, index)) : text
}

/** Returns the beginning of a text, with at most `max` code points, the ellipsis of a text that is cut included. */
export function shorten(text: string, max: number): string {
  const cut = cutText(text, max)
  return cut.length === text.length ? text : `${cutText(text, max - 1).trimEnd()}…`
}

/** Returns the end of a text, with at most `max` code points. */
export function endOfText(text: string, max: number): string {
  if (text.length <= max) return text
  const index = indexBefore(text, max)
  return index > 0 ? text.slice(cutAfter(text, index)) : text
}

/**
 * Returns the last place up to an index where a text can be cut. Where all before it is one grapheme, that is cut: some
 * texts are nothing but marks.
 */
export function cutBefore(text: string, index: number): number {
  if (isBetweenAscii(text, index)) return index
  return graphemeAt(text, index).from || startOfCodePoint(text, index)
}

/** Returns the first place from an index on where a text can be cut. */
function cutAfter(text: string, index: number): number {
  if (isBetweenAscii(text, index)) return index
  const { from, to } = graphemeAt(text, index)
  if (from === index) return index
  return to < text.length ? to : startOfCodePoint(text, index)
}

interface Grapheme {
  readonly from: number
  readonly to: number
}

/** Longer graphemes than that are rare. */
const WINDOW = 256

/** Returns the grapheme around an index. A segmenter reads all of the text that it gets, so it gets the part around. */
function graphemeAt(text: string, index: number, window = WINDOW): Grapheme {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  const start = Math.max(0, index - window)
  const end = Math.min(text.length, index + window)
  const found = segmenter.segment(text.slice(start, end)).containing(index - start)
  const from = start + (found?.index ?? 0)
  const to = from + (found?.segment.length ?? 0)
  const isWhole = (from > start || start === 0) && (to < end || end === text.length)
  return isWhole ? { from, to } : graphemeAt(text, index, 8 * window)
}

/** Whether an index is at an end of a text, or between two ASCII characters, of which only CR and LF belong together. */
function isBetweenAscii(text: string, index: number): boolean {
  if (index <= 0 || index >= text.length) return true
  const after = text.charCodeAt(index)
  return text.charCodeAt(index - 1) < 0x80 && after < 0x80 && after !== 0x0a
}

const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff
const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff

const startOfCodePoint = (text: string, index: number) =>
  isLowSurrogate(text.charCodeAt(index)) && isHighSurrogate(text.charCodeAt(index - 1)) ? index - 1 : index

/** The index after a number of code points. */
function indexAfter(text: string, points: number): number {
  let index = 0
  for (let left = points; left > 0 && index < text.length; left--) {
    index += startOfCodePoint(text, index + 1) === index ? 2 : 1
  }
  return index
}

/** The index before the last of a number of code points. */
function indexBefore(text: string, points: number): number {
  let index = text.length
  for (let left = points; left > 0 && index > 0; left--) index = startOfCodePoint(text, index - 1)
  return index
}
