import { useState } from 'react'
import { Button } from '../../shared/components/Button'
import { Icon } from '../../shared/components/Icon'
import { Skeleton } from '../../shared/components/Skeleton'
import type { Names } from '../../shared/query/names'
import { useCanManageSpace } from '../../shared/query/permission'
import { usePolicy } from '../../shared/query/policy'
import { useSpace } from '../../shared/query/space'
import { texts } from '../../shared/texts'
import { PolicyChanges } from './PolicyChanges'
import { PolicyDialog } from './PolicyDialog'
import styles from './PolicyLine.module.css'
import { policyTexts } from './texts'
import { policyInWords } from './words'

interface PolicyLineProps {
  readonly spaceId: string
  readonly names: Names
}

/** The policy and owners of a space in a sentence, with a button to change them. */
export function PolicyLine({ spaceId, names }: PolicyLineProps) {
  const { data: space } = useSpace(spaceId)
  const canManage = useCanManageSpace(space)
  const { data: policy, isLoading } = usePolicy(spaceId)
  const [isEditing, setIsEditing] = useState(false)
  const [showsChanges, setShowsChanges] = useState(false)
  const words = policyTexts
  if (isLoading || names.isAwaited) {
    return (
      <div className={styles.policy}>
        <Skeleton rows={1} />
      </div>
    )
  }
  if (!policy) return <div className={styles.policy} />
  return (
    <div className={styles.policy}>
      <Icon name="key" size={16} />
      <p className={styles.words}>
        {policyInWords(policy, names.nameOf)}
        {space && ` ${policyTexts.ownedBy(space.owners.map(names.nameOf))}`}
      </p>
      <Button size="small" onClick={() => setShowsChanges(true)}>
        {words.changes}
      </Button>
      {canManage && (
        <Button size="small" icon="settings" onClick={() => setIsEditing(true)}>
          {texts.change}
        </Button>
      )}
      {showsChanges && <PolicyChanges spaceId={spaceId} names={names} onClose={() => setShowsChanges(false)} />}
      {isEditing && <PolicyDialog policy={policy} names={names} onClose={() => setIsEditing(false)} />}
    </div>
  )
}
