import type { Event } from '@collab-spaces/client'
import type { GuideAct } from '../../shared/query/sample'
import type { HistoryState } from '../history/history'
import { guideTexts } from './texts'

/** The part of a history that shows the human's progress. */
export type ObservedHistory = Pick<HistoryState, 'events' | 'acts' | 'hasOlder'>

/** The human of the sample space and its guide, an agent. */
export interface Cast {
  readonly actorId: string
  readonly name: string
  readonly guideId: string
}

export interface Progress {
  /** Whether the human has posted and the guide has answered. */
  readonly hasSpoken: boolean
  readonly hasProposal: boolean
  /** The outcome of the guide's proposal; null while it is open. */
  readonly outcome: 'resolved' | 'rejected' | null
}

/** Returns the progress by the history alone, so that it is the same after a reload and in every tab. */
export function progressOf({ events, acts: { acts } }: ObservedHistory, { guideId }: Pick<Cast, 'guideId'>): Progress {
  const proposal = acts.find(({ kind, actor_id }) => kind === 'proposed' && actor_id === guideId)
  const settled = acts.find((act) => act.kind === 'settled' && act.decision_id === proposal?.decision_id)
  return {
    hasSpoken: proposal !== undefined || events.some((event) => isStep(event, guideId, 'answer')),
    hasProposal: proposal !== undefined,
    outcome: settled?.kind === 'settled' ? settled.status : null,
  }
}

/** Returns the guide's next act in a history loaded to its end; null while it waits for the human. */
export function nextAct(history: ObservedHistory, cast: Cast): GuideAct | null {
  const { events, hasOlder } = history
  const { actorId, name, guideId } = cast
  const { hasSpoken, hasProposal, outcome } = progressOf(history, cast)
  const words = guideTexts.script
  const own = events.filter(({ posted_by }) => posted_by === guideId)
  const [first, ...others] = events.filter(({ posted_by }) => posted_by === actorId)

  // If older events exist, the guide has already welcomed the human.
  if (own.length === 0 && !hasOlder) return { key: 'guide welcome', step: 'welcome', text: words.welcome(name) }
  if (!hasSpoken) return first ? answer(first, { step: 'answer', text: words.answer(name) }) : null
  if (!hasProposal) return { key: 'guide proposal', text: words.proposal, isProposal: true }
  if (outcome && !own.some((event) => isStep(event, guideId, 'end'))) {
    return { key: 'guide end', step: 'end', text: words.end(name, outcome) }
  }
  const answered = new Set(own.map(({ parent_event_id }) => parent_event_id))
  const open = others.find((event) => !answered.has(event.event_id) && addresses(event, guideId, own))
  return open ? answer(open, { text: outcome ? words.over(name) : words.waiting(name) }) : null
}

const answer = (event: Event, said: Pick<GuideAct, 'step' | 'text'>): GuideAct => ({
  ...said,
  key: `guide answer ${event.event_id}`,
  answers: event,
})

const isStep = ({ posted_by, metadata }: Event, guideId: string, step: string): boolean =>
  posted_by === guideId && metadata?.guide === step

function addresses({ metadata, parent_event_id }: Event, guideId: string, own: readonly Event[]): boolean {
  const mentions = metadata?.mentions
  if (Array.isArray(mentions) && mentions.includes(guideId)) return true
  return own.some(({ event_id }) => event_id === parent_event_id)
}
