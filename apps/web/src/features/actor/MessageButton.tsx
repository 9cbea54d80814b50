import { useLocation } from 'wouter'
import { Button } from '../../shared/components/Button'
import { spacePath } from '../../shared/navigation/paths'
import { useConversation } from '../../shared/query/space'
import { toastError } from '../../shared/toast'
import { cardTexts } from './texts'

interface MessageButtonProps {
  readonly actorId: string
  readonly name: string
}

/** Opens the conversation with an actor, and creates it if needed. */
export function MessageButton({ actorId, name }: MessageButtonProps) {
  const [, navigate] = useLocation()
  const talk = useConversation()
  const open = () =>
    talk.mutate([actorId], { onSuccess: ({ space_id }) => navigate(spacePath(space_id)), onError: toastError })
  return (
    <Button size="small" icon="lock" isBusy={talk.isPending} aria-label={cardTexts.talkWith(name)} onClick={open}>
      {cardTexts.talk}
    </Button>
  )
}
