import type { SpaceDetails } from '@collab-spaces/client'
import type { ReactNode } from 'react'
import { Icon } from '../components/Icon'
import { useMay } from '../query/may'
import { texts } from '../texts'
import { ClosedNote } from './ClosedNote'
import styles from './ClosedNote.module.css'

interface WritingPlaceProps {
  /** Undefined until it has been read: until then, it is taken to be open. */
  readonly space: SpaceDetails | undefined
  readonly children: ReactNode
}

/** Where something is written; or why nothing can be. */
export function WritingPlace({ space, children }: WritingPlaceProps) {
  const mayWrite = useMay('write')
  if (space && space.status !== 'active') return <ClosedNote space={space} />
  if (mayWrite) return children
  return (
    <div className={styles.note}>
      <Icon name="key" />
      <p>{texts.space.readOnly}</p>
    </div>
  )
}
