import { cutBefore } from './cut.js'
import { piecesWithin, type SearchForms, searchFormsOf } from './search.js'

/** The maximum size of a file whose text is searched, in bytes. Of larger ones, only the names are. */
export const MAX_SEARCHED_BYTES = 1024 * 1024

/** The length of a passage, in UTF-16 units. Marking words in one takes a millisecond. */
const PASSAGE_LENGTH = 4_000
/** The end of a passage in which a word boundary is looked for. */
const SEEK_LENGTH = 400

/** Divides the text of a file into passages, between words where there are some. */
export function passagesOf(text: string): readonly string[] {
  const passages: string[] = []
  for (let from = 0; from < text.length; ) {
    const to = endOfPassage(text, from + PASSAGE_LENGTH)
    passages.push(text.slice(from, to))
    from = to
  }
  return passages
}

function endOfPassage(text: string, end: number): number {
  if (end >= text.length) return text.length
  const [space] = text.slice(end - SEEK_LENGTH, end).match(/\s\S*$/) ?? []
  return space === undefined ? cutBefore(text, end) : end - space.length + 1
}

/** Forms the search terms of the name and the passages of a file, one after the other, as this takes a while. */
export function* fileForms(name: string, passages: readonly string[]): Generator<void, SearchForms> {
  const words: string[] = []
  const [characters, others] = [new Set<string>(), new Set<string>()]
  for (const text of [name, ...passages]) {
    const forms = searchFormsOf(text)
    words.push(forms.words)
    for (const piece of forms.pieces ?? []) (piece.length === 1 ? characters : others).add(piece)
    yield
  }
  const pieces = [...characters, ...others]
  return { words: words.join(' '), pieces: pieces.length === 0 ? null : piecesWithin(pieces) }
}
