import type { Space } from '@collab-spaces/client'
import { EmptyState } from '../../shared/components/EmptyState'
import { List } from '../../shared/components/List'
import { matchesFilter, type SpaceFilterValue } from './SpaceFilter'
import { SpaceRow } from './SpaceRow'
import { homeTexts } from './texts'

interface SpaceListProps {
  readonly spaces: readonly Space[]
  readonly filter: SpaceFilterValue
}

export function SpaceList({ spaces, filter }: SpaceListProps) {
  const shown = spaces.filter((space) => matchesFilter(filter, space))
  const home = homeTexts
  if (shown.length === 0) {
    return (
      <EmptyState icon="search" title={home.noMatchTitle}>
        {home.noMatchText}
      </EmptyState>
    )
  }
  return (
    <List label={home.spaces}>
      {shown.map((space) => (
        <SpaceRow key={space.space_id} space={space} />
      ))}
    </List>
  )
}
