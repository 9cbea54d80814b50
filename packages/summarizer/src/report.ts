import type { MoreDecisions, SummarizedDecision } from './decision.js'
import { named, type SummarizedEvent } from './event.js'
import type { MentionedLink } from './links.js'
import type { MainPoint } from './main-points.js'
import { citation, citations, quoted } from './markdown.js'
import type { Question } from './questions.js'
import type { Speakers } from './speakers.js'

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

/** Returns the findings as Markdown, without empty sections. */
export function writeSummary(findings: Findings): string {
  const { decisions, moreDecisions } = findings
  const proposed = decisions.filter((decision) => decision.proposed_in_window)
  const settled = decisions.filter((decision) => decision.settled_in_window)
  if (findings.count === 0 && proposed.length === 0 && settled.length === 0) {
    return 'Nothing happened in this window: no events, and no decision proposed or settled.\n'
  }
  // The newest questions are the most likely to be still open.
  const questions = findings.questions.slice(-QUESTIONS_LISTED)
  const blocks = [
    opening(findings),
    section('Main points', findings.points.map(pointLine)),
    section('Participants', findings.speakers.all().map(speakerLine)),
    section('Decisions proposed', proposed.map(proposedLine), moreDecisions.proposed),
    section('Decisions settled', settled.map(settledLine), moreDecisions.settled),
    section('Open questions', questions.map(questionLine), findings.questions.length - questions.length),
    section('Links', findings.links.map(linkLine)),
  ]
  return `${blocks.filter((block) => block !== null).join('\n\n')}\n`
}

function opening({ count, first, last, speakers }: Findings): string {
  if (first === null || last === null) return 'No events in this window.'
  const events = count === 1 ? '1 event' : `${count} events`
  const people = speakers.all().length === 1 ? '1 participant' : `${speakers.all().length} participants`
  return `${events} by ${people}, from ${first.timestamp} to ${last.timestamp}.`
}

function section(title: string, lines: readonly string[], left = 0): string | null {
  if (lines.length === 0) return null
  const more = left + Math.max(0, lines.length - LISTED)
  const shown = more === 0 ? lines : [...lines.slice(0, LISTED), `and ${more} more`]
  return `## ${title}\n\n${shown.map((line) => `- ${line}`).join('\n')}`
}

const pointLine = ({ voice, text, events }: MainPoint) =>
  `${named(voice)}: ${quoted(text, MAX_TEXT_LENGTH)} ${citations(events)}`

function speakerLine(speaker: ReturnType<Speakers['all']>[number]): string {
  const { voice, count, first_event_id, last_event_id } = speaker
  const ids = new Set([first_event_id, last_event_id])
  return `${named(voice)} (${voice.type}): ${count === 1 ? '1 event' : `${count} events`} ${citations(ids)}`
}

const proposedLine = ({ proposer, text, decision_id }: SummarizedDecision) =>
  `${named(proposer)}: ${quoted(text, MAX_TEXT_LENGTH)} ${citation(decision_id)}`

function settledLine(decision: SummarizedDecision): string {
  const { text, status, resolution, settler, decision_id } = decision
  const outcome = resolution === null ? status : `${status}: ${quoted(resolution, MAX_TEXT_LENGTH)}`
  const by = settler === null ? '' : `${named(settler)}: `
  return `${by}${quoted(text, MAX_TEXT_LENGTH)} → ${outcome} ${citation(decision_id)}`
}

const questionLine = ({ voice, text, event_id }: Question) =>
  `${named(voice)}: ${quoted(text, MAX_TEXT_LENGTH)} ${citation(event_id)}`

function linkLine({ url, events, count }: MentionedLink): string {
  const more = count > events.length ? ` and ${count - events.length} more` : ''
  return `<${url}> ${citations(events)}${more}`
}
