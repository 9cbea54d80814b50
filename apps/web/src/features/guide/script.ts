import type { Event } from '@collab-spaces/client'
import type { GuideAct } from '../../shared/query/sample'
import type { HistoryState } from '../history/history'
import { guideTexts } from './texts'

/** The part of a history that tells how far somebody has come. */
export type Told = Pick<HistoryState, 'events' | 'acts' | 'hasOlder'>

/** The human who walks through the sample, and the agent who guides. */
export interface Cast {
  readonly actorId: string
  readonly name: string
  readonly guideId: string
}

export interface Progress {
  /** Something was said, and answered. */
  readonly hasSpoken: boolean
  readonly hasProposal: boolean
  /** How what the guide had proposed was decided; null until it is. */
  readonly outcome: 'resolved' | 'rejected' | null
}

/** As the history has it, and nothing else: so it is the same after a reload, and in every tab. */
export function progressOf({ events, acts: { acts } }: Told, { guideId }: Pick<Cast, 'guideId'>): Progress {
  const proposal = acts.find(({ kind, actor_id }) => kind === 'proposed' && actor_id === guideId)
  const settled = acts.find((act) => act.kind === 'settled' && act.decision_id === proposal?.decision_id)
  return {
    hasSpoken: proposal !== undefined || events.some((event) => isStep(event, guideId, 'answer')),
    hasProposal: proposal !== undefined,
    outcome: settled?.kind === 'settled' ? settled.status : null,
  }
}

/** The next act of the guide, in a history that is read to its end; null while it waits for the human. */
export function nextAct(told: Told, cast: Cast): GuideAct | null {
  const { events, hasOlder } = told
  const { actorId, name, guideId } = cast
  const { hasSpoken, hasProposal, outcome } = progressOf(told, cast)
  const words = guideTexts.script
  const own = events.filter(({ posted_by }) => posted_by === guideId)
  const [first, ...others] = events.filter(({ posted_by }) => posted_by === actorId)

  // In a longer history than is at hand, the guide has begun already.
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
