import type { Participant } from '@collab-spaces/client'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { IconButton } from '../../shared/components/Button'
import { ConfirmDialog } from '../../shared/components/ConfirmDialog'
import { spacePath } from '../../shared/navigation/paths'
import { useConversation, useRemoveParticipant } from '../../shared/query/space'
import { useSession } from '../../shared/session/session'
import { texts } from '../../shared/texts'
import { cardTexts } from '../actor/texts'
import styles from './ParticipantsPanel.module.css'
import { participantsTexts } from './texts'

interface ParticipantActionsProps {
  readonly spaceId: string
  readonly participant: Participant
  /** Whether this account may remove it. */
  readonly canRemove: boolean
}

/** The actions on a participant: message them privately, and remove them. */
export function ParticipantActions({ spaceId, participant, canRemove }: ParticipantActionsProps) {
  const { actor_id: actorId, name } = participant
  const { account } = useSession()
  const [isConfirming, setIsConfirming] = useState(false)
  const [, navigate] = useLocation()
  const remove = useRemoveParticipant(spaceId)
  const talk = useConversation()
  const words = participantsTexts
  if (actorId === account.actorId) return null
  const open = () => talk.mutate([actorId], { onSuccess: ({ space_id }) => navigate(spacePath(space_id)) })
  return (
    <div className={styles.actions}>
      <IconButton size="small" icon="lock" label={cardTexts.talkWith(name)} onClick={open} />
      {canRemove && (
        <IconButton size="small" icon="close" label={texts.removeNamed(name)} onClick={() => setIsConfirming(true)} />
      )}
      <ConfirmDialog
        isOpen={isConfirming}
        onClose={() => setIsConfirming(false)}
        title={words.removeTitle(name)}
        text={words.removeText}
        confirm={texts.remove}
        request={remove}
        onConfirm={() => remove.mutate(actorId, { onSuccess: () => setIsConfirming(false) })}
      />
    </div>
  )
}
