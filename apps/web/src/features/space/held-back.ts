import type { Event, Policy, SpaceAct } from '@collab-spaces/client'

interface Run {
  readonly events: readonly Event[]
  readonly acts: readonly SpaceAct[]
}

/** The agent, or all of them, that a loop guard holds back. */
export interface HeldBack {
  /** Null for all agents. */
  readonly agent: string | null
}

/** The agents that the loop guard of a space holds back now, as far as its newest events show; null if none. */
export function heldBack({ events, acts }: Run, guard: Policy['loop_guard']): HeldBack | null {
  const { total, per_agent } = guard
  const from = lastReset(acts)
  const human = events.findLastIndex(({ posted_by_type }) => posted_by_type === 'human')
  const run = events.slice(human + 1).filter(({ timestamp }) => timestamp > from)
  if (total > 0 && run.length >= total) return { agent: null }
  if (per_agent === 0) return null
  const counts = new Map<string, number>()
  for (const { posted_by, posted_by_name } of run) {
    const count = (counts.get(posted_by) ?? 0) + 1
    if (count >= per_agent) return { agent: posted_by_name }
    counts.set(posted_by, count)
  }
  return null
}

/** When a run last ended without a word: a human settled a decision, or the policy was changed. */
function lastReset(acts: readonly SpaceAct[]): string {
  const reset = acts.findLast(
    ({ kind, actor_id }) => kind === 'policy_changed' || (kind === 'settled' && actor_id?.startsWith('usr_')),
  )
  return reset?.created_at ?? ''
}
