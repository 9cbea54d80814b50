import { type ReactNode, useState } from 'react'
import { Button } from '../../shared/components/Button'
import type { IconName } from '../../shared/components/Icon'
import { ListRow } from '../../shared/components/List'
import { Time } from '../../shared/components/Time'
import { texts } from '../../shared/texts'
import { RevokeDialog } from './RevokeDialog'
import { credentialsTexts } from './texts'

interface RevocableRowProps {
  readonly actorId: string
  readonly id: string
  readonly name: string
  readonly icon?: IconName
  /** Replaces the name in the row. */
  readonly title?: ReactNode
  readonly isRevoked?: boolean
  readonly children: ReactNode
}

/** A credential in a list, with a button to revoke it. */
export function RevocableRow(props: RevocableRowProps) {
  const { actorId, id, name, icon = 'key', title = name, isRevoked = false, children } = props
  const [isAsking, setIsAsking] = useState(false)
  const words = credentialsTexts
  return (
    <ListRow
      icon={icon}
      title={title}
      actions={
        !isRevoked && (
          <Button size="small" onClick={() => setIsAsking(true)} aria-label={words.revokeNamed(name)}>
            {texts.revoke}
          </Button>
        )
      }
    >
      {children}
      <RevokeDialog actorId={actorId} credential={isAsking ? { id, name } : null} onClose={() => setIsAsking(false)} />
    </ListRow>
  )
}

export function LastUsed({ at }: { readonly at: string | null }) {
  const { neverUsed, lastUsed } = credentialsTexts
  if (at === null) return neverUsed
  return (
    <>
      {lastUsed} <Time at={at} />
    </>
  )
}
