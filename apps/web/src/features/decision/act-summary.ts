import type { DecisionAct } from '@collab-spaces/client'
import { list } from '../../languages/format'
import { posterInWords } from '../../shared/poster'
import type { Names } from '../../shared/query/names'
import { actAuthor } from './act-author'
import { decisionTexts } from './texts'

/** Returns the acts on a decision in one line: its proposer, the reviews that stand, and its outcome. */
export function actsInWords(acts: readonly DecisionAct[], names: Pick<Names, 'find'>): string {
  const words = decisionTexts.folded
  const nameOf = (act: DecisionAct) => posterInWords(actAuthor(act, names))
  const reviews = new Map(acts.filter((act) => act.kind === 'reviewed').map((act) => [act.actor_id, act]))
  const reviewed = (wanted: 'approve' | 'reject') => {
    const by = [...reviews.values()].filter(({ verdict }) => verdict === wanted)
    const [only] = by
    if (!only) return []
    return [by.length === 1 ? words.reviewed[wanted](nameOf(only)) : words.counted[wanted](by.length)]
  }
  const partsOf = (act: DecisionAct): readonly string[] => {
    switch (act.kind) {
      case 'proposed':
        return [words.proposed(nameOf(act))]
      case 'settled':
        return [words.settled[act.status](nameOf(act))]
      case 'superseded':
        return [words.superseded]
      case 'used':
        return [words.used(nameOf(act))]
      case 'reviewed':
        return []
    }
  }
  const [proposed, ...later] = acts.flatMap(partsOf)
  const parts = [proposed, ...reviewed('approve'), ...reviewed('reject'), ...later]
  return list(parts.filter((part) => part !== undefined))
}
