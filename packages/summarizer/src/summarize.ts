import { type Candidate, Candidates } from './candidates.js'
import type { MoreDecisions, SummarizedDecision } from './decision.js'
import { type SummarizedEvent, voiceOf } from './event.js'
import { Links } from './links.js'
import { mainPoints } from './main-points.js'
import { oneLine } from './markdown.js'
import { MIN_WORDS, priorOf } from './prior.js'
import { asks, OpenQuestions } from './questions.js'
import { Reading } from './reading.js'
import { writeSummary } from './report.js'
import { scriptOf } from './script.js'
import { sentencesOf } from './sentences.js'
import { Speakers } from './speakers.js'
import { SUMMARY_TEXTS, type SummaryLanguage } from './texts.js'
import { Vocabulary } from './vocabulary.js'
import { wordsOf } from './words.js'

/** The `model` of extractive summaries. Its number changes whenever the same events would get another summary. */
export const EXTRACTIVE_MODEL = 'extractive-lexrank-2'

export interface SummaryInput {
  /** The events in the order of the log. They are read once; memory use does not grow with their number. */
  readonly events: Iterable<SummarizedEvent> | AsyncIterable<SummarizedEvent>
  /** The decisions that were proposed or settled in the window, in their order. */
  readonly decisions: readonly SummarizedDecision[]
  /** The numbers of further proposed and settled decisions. */
  readonly moreDecisions?: MoreDecisions
  /** English by default. */
  readonly language?: SummaryLanguage
}

/**
 * Returns the summary of a window as Markdown. It depends only on the events and decisions, not on the bounds of the
 * window, so another window with the same ones gets the same text.
 */
export async function summarizeExtractively(input: SummaryInput): Promise<string> {
  const { events, decisions, moreDecisions, language = 'en' } = input
  const vocabulary = new Vocabulary()
  const candidates = new Candidates(vocabulary)
  const speakers = new Speakers()
  const questions = new OpenQuestions()
  const links = new Links()
  const reading = new Reading()
  let count = 0
  let order = 0
  let first: SummarizedEvent | null = null
  let last: SummarizedEvent | null = null

  for await (const event of events) {
    count++
    first ??= event
    last = event
    speakers.add(event)
    links.add(event)

    const sentences = sentencesIn(event, reading)
    for (const sentence of sentences) {
      const words = vocabulary.learn(sentence.words)
      if (words.size >= MIN_WORDS) candidates.add(candidateFrom(event, sentence, words, order++))
    }
    const question = sentences.find((sentence) => sentence.asks)?.text ?? null
    const says = sentences.some((sentence) => !sentence.asks && /[\p{L}\p{N}]/u.test(sentence.text))
    questions.add(event, question, says)
  }

  const findings = {
    count,
    first,
    last,
    speakers,
    points: mainPoints(candidates.all(), pointsFor(count), (word) => vocabulary.idf(word)),
    decisions,
    moreDecisions: moreDecisions ?? { proposed: 0, settled: 0 },
    questions: questions.all(),
    links: links.all(),
  }
  return writeSummary(findings, SUMMARY_TEXTS[language])
}

/**
 * Returns the number of points: three for the shortest conversation, five for twenty messages, ten for a hundred or
 * more.
 */
const pointsFor = (events: number) => Math.min(10, Math.max(3, Math.ceil(Math.sqrt(events))))

type Sentence = ReturnType<typeof sentencesIn>[number]

function sentencesIn(event: SummarizedEvent, reading: Reading) {
  const read = reading.partOf(event.text)
  const script = scriptOf(read)
  return sentencesOf(read, script)
    .map(oneLine)
    .map((text) => ({ text, words: wordsOf(text, script), asks: asks(text, script) }))
}

function candidateFrom(
  event: SummarizedEvent,
  sentence: Sentence,
  words: ReadonlyMap<number, number>,
  order: number,
): Candidate {
  const prior = priorOf({
    text: sentence.text,
    words: words.size,
    asks: sentence.asks,
    speakerType: event.claim?.type ?? event.posted_by_type,
    hasReferences: event.references.length > 0,
  })
  return { order, event_id: event.event_id, voice: voiceOf(event), text: sentence.text, words, prior, repeatedIn: [] }
}
