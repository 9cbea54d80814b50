import { useCell } from '../cell'
import { IconButton } from '../components/Button'
import { Icon } from '../components/Icon'
import type { History } from '../history/history'
import { doneQueueOf } from '../inbox/done-queues'
import { useInbox } from '../query/inbox'
import { useSession } from '../session/session'
import { texts } from '../texts'
import styles from './ClosedNote.module.css'

interface GuardNoteProps {
  readonly spaceId: string
  readonly history: History
}

/**
 * What the loop guard has refused leaves no event: those who are told in their inbox see it here, too, until a human has
 * spoken or they dismiss it.
 */
export function GuardNote({ spaceId, history }: GuardNoteProps) {
  const { account } = useSession()
  const { data: inbox } = useInbox()
  const { events } = useCell(history.state)
  const spoke = events.findLast(({ posted_by_type }) => posted_by_type === 'human')?.timestamp ?? ''
  const notice = inbox?.notices.find(
    ({ kind, space_id, created_at }) => kind === 'loop_guard' && space_id === spaceId && created_at > spoke,
  )
  if (!notice) return null
  const { agent_name } = notice.details
  const dismiss = () => {
    const queue = doneQueueOf(account.actorId)
    queue.add({ through: [], notices: [notice.notice_id] })
    queue.flush()
    document.querySelector<HTMLElement>('[data-composer] textarea')?.focus()
  }
  return (
    <div className={styles.note} role="status">
      <Icon name="warning" />
      <p>{texts.space.guarded(typeof agent_name === 'string' ? agent_name : texts.people.unknown)}</p>
      <IconButton size="small" icon="close" label={texts.waiting.dismiss} onClick={dismiss} />
    </div>
  )
}
