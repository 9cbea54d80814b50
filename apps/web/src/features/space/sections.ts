import type { Space } from '@collab-spaces/client'

/** The sections of the list of spaces, in order. */
const SECTIONS = ['pinned', 'unread', 'others', 'muted'] as const
export type SectionName = (typeof SECTIONS)[number]

type Sorted = Pick<Space, 'preferences' | 'unread_count'>

/** Muted spaces show no unread count. */
const isMuted = ({ preferences }: Pick<Space, 'preferences'>): boolean => preferences.notices === 'none'

/** Returns the unread count to show. */
export const shownUnread = (space: Sorted): number => (isMuted(space) ? 0 : space.unread_count)

function sectionOf(space: Sorted): SectionName {
  if (space.preferences.pinned) return 'pinned'
  if (isMuted(space)) return 'muted'
  return space.unread_count > 0 ? 'unread' : 'others'
}

interface Section<S> {
  readonly name: SectionName
  readonly spaces: readonly S[]
}

/** Returns the non-empty sections. Spaces keep their order. */
export const sectionsOf = <S extends Sorted>(spaces: readonly S[]): readonly Section<S>[] =>
  SECTIONS.map((name) => ({ name, spaces: spaces.filter((space) => sectionOf(space) === name) })).filter(
    ({ spaces }) => spaces.length > 0,
  )
