import { useState } from 'react'
import { Button } from '../components/Button'
import { Icon } from '../components/Icon'
import { rulesInWords } from '../decision/right'
import type { Names } from '../query/names'
import { type Policy, usePolicy } from '../query/policy'
import { useSession } from '../session/session'
import { texts } from '../texts'
import { PolicyDialog } from './PolicyDialog'
import styles from './PolicyLine.module.css'

interface PolicyLineProps {
  readonly spaceId: string
  readonly names: Names
}

/** By which right decisions are settled here, in a sentence, and the way to change it. */
export function PolicyLine({ spaceId, names }: PolicyLineProps) {
  const { account } = useSession()
  const { data: policy } = usePolicy(spaceId)
  const [isEditing, setIsEditing] = useState(false)
  const words = texts.policy
  if (!policy) return <div className={styles.policy} />
  return (
    <div className={styles.policy}>
      <Icon name="key" size={16} />
      <p className={styles.words}>
        {rulesInWords(policy.settle, names.nameOf)} {guardInWords(policy)}
      </p>
      {account.kind === 'human' && (
        <Button size="small" icon="settings" onClick={() => setIsEditing(true)}>
          {words.change}
        </Button>
      )}
      {isEditing && <PolicyDialog policy={policy} names={names} onClose={() => setIsEditing(false)} />}
    </div>
  )
}

function guardInWords({ loop_guard: { total, per_agent } }: Policy): string {
  const { guard } = texts.policy
  if (total > 0 && per_agent > 0) return guard.both(total, per_agent)
  if (total > 0) return guard.total(total)
  return per_agent > 0 ? guard.perAgent(per_agent) : ''
}
