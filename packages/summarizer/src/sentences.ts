import { type Script, segmenters, UNPUNCTUATED } from './script.js'

const SENTENCES_READ = 20
/** A longer piece without punctuation is cut at spaces. */
const MAX_PIECE_LENGTH = 240

const CODE_BLOCK = /(```|~~~)[\s\S]*?(?:\1|$)/g
const QUOTED_LINE = /^\s*>/
const LIST_MARK = /^\s*(?:[-*+•·#]+|\d{1,3}[.)])\s+/
/** A full stop that does not end a sentence: "10. Juni", "z. B.", "J. Smith", "Dr. Meier". */
const NO_END =
  /(?:^|[\s(])(?:\p{N}{1,2}|\p{L}|[Dd]r|[Mm]rs?|[Mm]s|[Pp]rof|[Nn]r|[Nn]o|vs|bzw|ca|approx|etc|St|usw|e\.g|i\.e)\.\s*$/u

/** An address, with or without its scheme: its question and exclamation marks end no sentence. */
const ADDRESSES =
  /(?<![A-Za-z0-9+.-])(?:[A-Za-z][A-Za-z0-9+.-]*:\/\/|(?:[A-Za-z0-9-]+\.)+[A-Za-z0-9-]+\/)[^\s<>"，。、；：！？（）「」『』]*/g

const segmenter = segmenters('sentence')

/** Returns the sentences of a message, without code blocks and quotations of other messages. */
export function sentencesOf(text: string, script: Script): string[] {
  const sentences: string[] = []
  for (const line of text.replace(CODE_BLOCK, '\n').split(/[\r\n\u2028\u2029]+/)) {
    if (QUOTED_LINE.test(line)) continue
    for (const sentence of sentencesOfLine(line.replace(LIST_MARK, ''), script)) {
      sentences.push(sentence)
      if (sentences.length === SENTENCES_READ) return sentences
    }
  }
  return sentences
}

function sentencesOfLine(line: string, script: Script): string[] {
  const sentences: string[] = []
  const isInAddress = insideOf([...line.matchAll(ADDRESSES)])
  let open = ''
  for (const { segment, index } of segmenter(script).segment(line)) {
    open += segment
    if (script === 'spaced' && NO_END.test(open.slice(-12))) continue
    if (isInAddress(index + segment.length)) continue
    sentences.push(open)
    open = ''
  }
  sentences.push(open)
  return sentences
    .flatMap((sentence) =>
      cutAtSpaces(sentence.trim(), UNPUNCTUATED.has(script) ? MAX_PIECE_LENGTH / 2 : MAX_PIECE_LENGTH),
    )
    .filter((sentence) => sentence !== '')
}

/** Returns whether a position is inside one of the matches, and not at its ends. */
const insideOf = (matches: readonly RegExpExecArray[]) => (position: number) =>
  matches.some(({ index, 0: text }) => index < position && position < index + text.length)

/** Cuts a sentence longer than two pieces into pieces of about the given length. */
function cutAtSpaces(sentence: string, piece: number): string[] {
  if (sentence.length <= piece * 2) return [sentence]
  const pieces: string[] = []
  let open = ''
  for (const word of sentence.split(' ')) {
    if (open !== '' && open.length + word.length >= piece) {
      pieces.push(open)
      open = ''
    }
    open = open === '' ? word : `${open} ${word}`
  }
  pieces.push(open)
  return pieces
}
