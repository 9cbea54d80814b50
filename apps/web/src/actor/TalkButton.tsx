import { useLocation } from 'wouter'
import { spacePath } from '../app/paths'
import { complain } from '../app/Toast'
import { Button } from '../components/Button'
import { useConversation } from '../query/space'
import { texts } from '../texts'

interface TalkButtonProps {
  readonly actorId: string
  readonly name: string
}

/** Opens the conversation with somebody, which begins if there is none. */
export function TalkButton({ actorId, name }: TalkButtonProps) {
  const [, navigate] = useLocation()
  const talk = useConversation()
  const open = () =>
    talk.mutate(actorId, { onSuccess: ({ space_id }) => navigate(spacePath(space_id)), onError: complain })
  return (
    <Button size="small" icon="lock" isBusy={talk.isPending} aria-label={texts.participants.talk(name)} onClick={open}>
      {texts.card.talk}
    </Button>
  )
}
