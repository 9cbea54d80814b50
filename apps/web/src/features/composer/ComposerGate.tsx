import type { ReactNode } from 'react'
import { Icon } from '../../shared/components/Icon'
import { useHasScope } from '../../shared/query/permission'
import { useSpace } from '../../shared/query/space'
import { ClosedNote } from './ClosedNote'
import styles from './ClosedNote.module.css'
import { closedTexts } from './texts'

/** Renders a composer, or why this account cannot post in the space. */
export function ComposerGate({ spaceId, children }: { readonly spaceId: string; readonly children: ReactNode }) {
  const { data: space } = useSpace(spaceId)
  const hasWriteScope = useHasScope('write')
  // Until it loads, the space counts as active.
  if (space && space.status !== 'active') return <ClosedNote space={space} />
  if (hasWriteScope) return children
  return (
    <div className={styles.note}>
      <Icon name="key" />
      <p>{closedTexts.readOnly}</p>
    </div>
  )
}
