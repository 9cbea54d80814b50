import {
  type AttributedSpeaker,
  type DecisionAct,
  type DecisionAuthors,
  doerOf,
  proposerOf,
  type SpaceAct,
  settlerOf,
} from '@collab-spaces/client'
import type { Names } from '../../shared/query/names'
import { texts } from '../../shared/texts'

type KnownNames = Pick<Names, 'find'>

const ACTOR_ID = /^(?:usr|agt)_/

/**
 * Returns a lookup of names by ID, with a placeholder for unknown actors. A decision can name a speaker who is no
 * actor.
 */
const finderIn = (names: KnownNames) => (id: string) =>
  names.find(id)?.name ?? (ACTOR_ID.test(id) ? texts.people.unknown : undefined)

/** Returns the actor of an act, as authenticated, and the speaker that the act names. Null for the operator. */
export function actAuthor(act: DecisionAct, names: KnownNames): AttributedSpeaker
export function actAuthor(act: SpaceAct, names: KnownNames): AttributedSpeaker | null
export function actAuthor({ actor_id, ...act }: SpaceAct, names: KnownNames): AttributedSpeaker | null {
  return actor_id === null ? null : doerOf({ ...act, actor_id }, finderIn(names))
}

/** Returns the actor who settled a decision or, while it is open, proposed it. */
export function lastAuthor(decision: DecisionAuthors, names: KnownNames): AttributedSpeaker {
  const find = finderIn(names)
  return settlerOf(decision, find) ?? proposerOf(decision, find)
}
