import type { Event } from '@collab-spaces/client'
import type { Names } from '../query/names'

/** The names of those whom an event mentions, as its text has them: by their whole names, or the first word of them. */
export function namesMentioned({ metadata }: Event, names: Pick<Names, 'find'>): readonly string[] {
  const ids: unknown = metadata?.mentions
  if (!Array.isArray(ids)) return []
  return ids
    .filter((id) => typeof id === 'string')
    .flatMap((id) => names.find(id) ?? [])
    .flatMap(({ name }) => callNames(name))
}

function callNames(name: string): readonly string[] {
  const [first = name] = name.split(/\s/u)
  return [name, first]
}
