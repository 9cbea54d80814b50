import type { Space } from '@collab-spaces/client'
import { EmptyState } from '../../shared/components/EmptyState'
import { List } from '../../shared/components/List'
import { isWished, type SpaceWish } from './SpaceFilter'
import { SpaceRow } from './SpaceRow'
import { homeTexts } from './texts'

interface SpaceListProps {
  readonly spaces: readonly Space[]
  readonly wish: SpaceWish
}

export function SpaceList({ spaces, wish }: SpaceListProps) {
  const shown = spaces.filter((space) => isWished(wish, space))
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
