import type { MoreDecisions, SummarizedDecision } from './decision.js'
import { named, type SummarizedEvent } from './event.js'
import type { MentionedLink } from './links.js'
import type { MainPoint } from './main-points.js'
import { citation, citations, quoted } from './markdown.js'
import type { Question } from './questions.js'
import type { Speaker, Speakers } from './speakers.js'
import type { SummaryTexts } from './texts.js'

/** The maximum length of a quotation, in code points. */
const MAX_TEXT_LENGTH = 280
/** The maximum entries of a list. Further ones are counted. */
const LISTED = 20
const QUESTIONS_LISTED = 10

export interface Findings {
  readonly count: number
  readonly first: SummarizedEvent | null
  readonly last: SummarizedEvent | null
  readonly speakers: Speakers
  readonly points: readonly MainPoint[]
  readonly decisions: readonly SummarizedDecision[]
  readonly moreDecisions: MoreDecisions
  readonly questions: readonly Question[]
  readonly links: readonly MentionedLink[]
}

/** Returns the findings as Markdown in the language of the texts, without empty sections. */
export function writeSummary(findings: Findings, texts: SummaryTexts): string {
  const { decisions, moreDecisions } = findings
  const { titles } = texts
  const proposed = decisions.filter((decision) => decision.proposed_in_window)
  const settled = decisions.filter((decision) => decision.settled_in_window)
  if (findings.count === 0 && proposed.length === 0 && settled.length === 0) return `${texts.nothing}\n`
  // The newest questions are the most likely to be still open.
  const questions = findings.questions.slice(-QUESTIONS_LISTED)
  const { section, pointLine, speakerLine, proposedLine, settledLine, questionLine, linkLine } = writerIn(texts)
  const blocks = [
    opening(findings, texts),
    section(titles.points, findings.points.map(pointLine)),
    section(titles.participants, findings.speakers.all().map(speakerLine)),
    section(titles.proposed, proposed.map(proposedLine), moreDecisions.proposed),
    section(titles.settled, settled.map(settledLine), moreDecisions.settled),
    section(titles.questions, questions.map(questionLine), findings.questions.length - questions.length),
    section(titles.links, findings.links.map(linkLine)),
  ]
  return `${blocks.filter((block) => block !== null).join('\n\n')}\n`
}

function opening({ count, first, last, speakers }: Findings, { noEvents, opening }: SummaryTexts): string {
  if (first === null || last === null) return noEvents
  const participants = speakers.all().length
  return opening({ events: count, participants, first: first.timestamp, last: last.timestamp })
}

/** The sections and lines of a summary. */
const writerIn = (texts: SummaryTexts) => ({
  section(title: string, lines: readonly string[], left = 0): string | null {
    if (lines.length === 0) return null
    const more = left + Math.max(0, lines.length - LISTED)
    const shown = more === 0 ? lines : [...lines.slice(0, LISTED), texts.more(more)]
    return `## ${title}\n\n${shown.map((line) => `- ${line}`).join('\n')}`
  },

  pointLine: ({ voice, text, events }: MainPoint) =>
    `${named(voice, texts)}: ${quoted(text, MAX_TEXT_LENGTH)} ${citations(events)}`,

  speakerLine({ voice, count, first_event_id, last_event_id }: Speaker): string {
    const ids = new Set([first_event_id, last_event_id])
    return `${named(voice, texts)} (${texts.types[voice.type]}): ${texts.events(count)} ${citations(ids)}`
  },

  proposedLine: ({ proposer, text, decision_id }: SummarizedDecision) =>
    `${named(proposer, texts)}: ${quoted(text, MAX_TEXT_LENGTH)} ${citation(decision_id)}`,

  settledLine({ text, status, resolution, settler, decision_id }: SummarizedDecision): string {
    const settled = texts.statuses[status]
    const outcome = resolution === null ? settled : `${settled}: ${quoted(resolution, MAX_TEXT_LENGTH)}`
    const by = settler === null ? '' : `${named(settler, texts)}: `
    return `${by}${quoted(text, MAX_TEXT_LENGTH)} ${texts.arrow} ${outcome} ${citation(decision_id)}`
  },

  questionLine: ({ voice, text, event_id }: Question) =>
    `${named(voice, texts)}: ${quoted(text, MAX_TEXT_LENGTH)} ${citation(event_id)}`,

  linkLine({ url, events, count }: MentionedLink): string {
    const more = count > events.length ? ` ${texts.more(count - events.length)}` : ''
    return `<${url}> ${citations(events)}${more}`
  },
})
