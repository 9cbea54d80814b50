import type { Space } from '@collab-spaces/client'

/** The sections that spaces are listed in, in their order. */
const SECTIONS = ['pinned', 'unread', 'others', 'muted'] as const
export type SectionName = (typeof SECTIONS)[number]

type Sorted = Pick<Space, 'preferences' | 'unread_count'>

/** Of a muted space, nobody is told what is unread. */
const isMuted = ({ preferences }: Pick<Space, 'preferences'>): boolean => preferences.notices === 'none'

/** How much of a space is shown as unread. */
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

/** The sections that have any spaces, which keep their order. */
export const sectionsOf = <S extends Sorted>(spaces: readonly S[]): readonly Section<S>[] =>
  SECTIONS.map((name) => ({ name, spaces: spaces.filter((space) => sectionOf(space) === name) })).filter(
    ({ spaces }) => spaces.length > 0,
  )
