import type { ReactNode } from 'react'
import { Icon } from '../../shared/components/Icon'
import { useMay } from '../../shared/query/may'
import { useSpace } from '../../shared/query/space'
import { texts } from '../../shared/texts'
import { ClosedNote } from './ClosedNote'
import styles from './ClosedNote.module.css'

/** Where something is written; or why nothing can be. */
export function WritingPlace({ spaceId, children }: { readonly spaceId: string; readonly children: ReactNode }) {
  const { data: space } = useSpace(spaceId)
  const mayWrite = useMay('write')
  // Until it has been read, it is taken to be open.
  if (space && space.status !== 'active') return <ClosedNote space={space} />
  if (mayWrite) return children
  return (
    <div className={styles.note}>
      <Icon name="key" />
      <p>{texts.space.readOnly}</p>
    </div>
  )
}
