import type { Event, Policy, SpaceAct } from '@collab-spaces/client'

interface Run {
  readonly events: readonly Event[]
  readonly acts: readonly SpaceAct[]
}

/** The agents that a loop guard holds back. */
export interface HeldBack {
  /** Null for all agents. */
  readonly agent: string | null
}

/** Returns the agents that the loop guard holds back, judged by the loaded events; null if none. */
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

/** Returns when an act last reset the guard: a human settled a decision, or the policy changed. */
function lastReset(acts: readonly SpaceAct[]): string {
  const reset = acts.findLast(
    ({ kind, actor_id }) => kind === 'policy_changed' || (kind === 'settled' && actor_id?.startsWith('usr_')),
  )
  return reset?.created_at ?? ''
}
