import type { Event, Participant } from '@collab-spaces/client'
import { useMemo } from 'react'

/** The names of those in a space, by their ids. */
export interface People {
  readonly participants: readonly Participant[]
  /** The name of an actor, or its id if nothing better is known. */
  nameOf(actorId: string): string
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
    return {
      participants: participants ?? NOBODY,
      nameOf: (id) => known.get(id) ?? id,
    }
  }, [participants, actorId, name])
}

/** What those whom an event mentions are called in its text: by their whole names, or the first word of them. */
export function namesMentioned({ metadata }: Event, people: People): readonly string[] {
  const ids: unknown = metadata?.mentions
  if (!Array.isArray(ids)) return []
  return ids.filter((id) => typeof id === 'string').flatMap((id) => callNames(people.nameOf(id)))
}

function callNames(name: string): readonly string[] {
  const [first = name] = name.split(/\s/u)
  return [name, first]
}

/** Whether an event speaks under another identity than the one that posted it. */
export const isClaimed = ({ speaker_id, posted_by }: Event): boolean => speaker_id !== posted_by
