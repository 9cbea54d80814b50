import type { Event, Participant } from '@collab-spaces/client'
import { useMemo } from 'react'
import type { Names } from '../query/names'

/** The participants of a space, and the names of them and others where they are mentioned. */
export interface People extends Pick<Names, 'find' | 'nameOf'> {
  readonly participants: readonly Participant[]
  /** Whether it is an agent that may only read now. */
  isStopped(actorId: string): boolean
}

const NOBODY: readonly Participant[] = []

export function usePeople(participants: readonly Participant[] | undefined, names: Names): People {
  return useMemo(() => {
    const { find, nameOf } = names
    return {
      participants: participants ?? NOBODY,
      find,
      nameOf,
      isStopped: (id) => find(id)?.isStopped === true,
    }
  }, [participants, names])
}

/** The names of those whom an event mentions, as its text has them: by their whole names, or the first word of them. */
export function namesMentioned({ metadata }: Event, people: Pick<People, 'find'>): readonly string[] {
  const ids: unknown = metadata?.mentions
  if (!Array.isArray(ids)) return []
  return ids
    .filter((id) => typeof id === 'string')
    .flatMap((id) => people.find(id) ?? [])
    .flatMap(({ name }) => callNames(name))
}

function callNames(name: string): readonly string[] {
  const [first = name] = name.split(/\s/u)
  return [name, first]
}
