import type { Event, Participant } from '@collab-spaces/client'
import { useMemo } from 'react'

/** Those in a space, and what they are called where they are mentioned. */
export interface People {
  readonly participants: readonly Participant[]
  /** The name of an actor, or its id if nothing better is known. */
  nameOf(actorId: string): string
  /** Whether it is an agent here that may only read now. */
  isStopped(actorId: string): boolean
}

const NOBODY: readonly Participant[] = []

export function usePeople(
  participants: readonly Participant[] | undefined,
  me: { actorId: string; name: string },
): People {
  const { actorId, name } = me
  return useMemo(() => {
    const known = new Map((participants ?? NOBODY).map((one) => [one.participant_id, one.name]))
    known.set(actorId, name)
    const stopped = new Set((participants ?? NOBODY).filter((one) => one.is_stopped).map((one) => one.participant_id))
    return {
      participants: participants ?? NOBODY,
      nameOf: (id) => known.get(id) ?? id,
      isStopped: (id) => stopped.has(id),
    }
  }, [participants, actorId, name])
}

/** The names of those whom an event mentions, as its text has them: by their whole names, or the first word of them. */
export function namesMentioned({ metadata }: Event, people: People): readonly string[] {
  const ids: unknown = metadata?.mentions
  if (!Array.isArray(ids)) return []
  return ids.filter((id) => typeof id === 'string').flatMap((id) => callNames(people.nameOf(id)))
}

function callNames(name: string): readonly string[] {
  const [first = name] = name.split(/\s/u)
  return [name, first]
}
