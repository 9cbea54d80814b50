import type { Space } from '@collab-spaces/client'
import { isMuted } from '../../shared/query/space-cache'

/** The sections of the list of spaces, in order. */
const SECTIONS = ['pinned', 'unread', 'others', 'muted'] as const
export type SectionName = (typeof SECTIONS)[number]

type SortableSpace = Pick<Space, 'preferences' | 'status' | 'unread_count'>

/** Returns the unread count to show: none for a space that is muted or archived, which asks for no attention. */
export const shownUnread = (space: SortableSpace): number =>
  isMuted(space) || space.status === 'archived' ? 0 : space.unread_count

function sectionOf(space: SortableSpace): SectionName {
  if (space.preferences.pinned) return 'pinned'
  if (isMuted(space)) return 'muted'
  return shownUnread(space) > 0 ? 'unread' : 'others'
}

interface Section<S> {
  readonly name: SectionName
  readonly spaces: readonly S[]
}

/** Returns the non-empty sections. Spaces keep their order. */
export const sectionsOf = <S extends SortableSpace>(spaces: readonly S[]): readonly Section<S>[] =>
  SECTIONS.map((name) => ({ name, spaces: spaces.filter((space) => sectionOf(space) === name) })).filter(
    ({ spaces }) => spaces.length > 0,
  )

/** The section of each space, by its ID, in the order that a list shows. */
export type HeldOrder = ReadonlyMap<string, SectionName>

type ListableSpace = SortableSpace & Pick<Space, 'space_id'>

export const orderOf = (sections: readonly Section<ListableSpace>[]): HeldOrder =>
  new Map(sections.flatMap(({ name, spaces }) => spaces.map(({ space_id }) => [space_id, name] as const)))

/** Whether only the reader moves spaces into the section or out of it. */
const isChosen = (name: SectionName): boolean => name === 'pinned' || name === 'muted'

/**
 * Returns sections in an earlier order, in which spaces that came later are last; null keeps the current one. A space
 * that was pinned or muted meanwhile moves at once.
 */
export function inHeldOrder<S extends ListableSpace>(
  sections: readonly Section<S>[],
  held: HeldOrder | null,
): readonly Section<S>[] {
  if (held === null) return sections
  const places = [...held.keys()]
  const placeOf = ({ space_id }: S) => (held.has(space_id) ? places.indexOf(space_id) : places.length)
  const all = sections.flatMap(({ name, spaces }) =>
    spaces.map((space) => {
      const before = held.get(space.space_id) ?? name
      return { name: isChosen(before) || isChosen(name) ? name : before, space }
    }),
  )
  return SECTIONS.map((name) => ({
    name,
    spaces: all
      .filter((one) => one.name === name)
      .map(({ space }) => space)
      .toSorted((a, b) => placeOf(a) - placeOf(b)),
  })).filter(({ spaces }) => spaces.length > 0)
}
