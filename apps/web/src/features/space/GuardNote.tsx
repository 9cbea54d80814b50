import type { Notice } from '@collab-spaces/client'
import { useCell } from '../../shared/cell'
import { IconButton } from '../../shared/components/Button'
import { Icon } from '../../shared/components/Icon'
import { doneQueueOf } from '../../shared/query/done-queues'
import { useInbox } from '../../shared/query/inbox'
import { usePolicy } from '../../shared/query/policy'
import { useSession } from '../../shared/session/session'
import { texts } from '../../shared/texts'
import styles from '../composer/ClosedNote.module.css'
import type { History } from '../history/history'
import { heldBack } from './held-back'
import { spaceTexts } from './texts'

interface GuardNoteProps {
  readonly spaceId: string
  readonly history: History
}

/**
 * A message that the loop guard refuses leaves no event. Humans with an inbox notice of it see it here, too, until a
 * human posts or they dismiss it. Other readers see which agent the guard holds back.
 */
export function GuardNote({ spaceId, history }: GuardNoteProps) {
  const { account } = useSession()
  const { data: inbox } = useInbox()
  const { events } = useCell(history.state)
  const spoke = events.findLast(({ posted_by_type }) => posted_by_type === 'human')?.timestamp ?? ''
  const notice = inbox?.notices.find(
    ({ kind, space_id, created_at }) => kind === 'loop_guard' && space_id === spaceId && created_at > spoke,
  )
  if (!inbox && account.kind === 'human') return null
  return notice ? <Refusal notice={notice} /> : <HeldBackNote spaceId={spaceId} history={history} />
}

function Refusal({ notice: { notice_id, details } }: { readonly notice: Notice }) {
  const { account } = useSession()
  const { agent_name } = details
  const dismiss = () => {
    const queue = doneQueueOf(account.actorId)
    queue.add({ through: [], notices: [notice_id] })
    queue.flush()
    document.querySelector<HTMLElement>('[data-composer] textarea')?.focus()
  }
  return (
    <div className={styles.note} role="status">
      <Icon name="warning" />
      <p>{spaceTexts.guarded(typeof agent_name === 'string' ? agent_name : texts.people.unknown)}</p>
      <IconButton size="small" icon="close" label={texts.dismiss} onClick={dismiss} />
    </div>
  )
}

function HeldBackNote({ spaceId, history }: GuardNoteProps) {
  const { events, acts, hasNewer } = useCell(history.state)
  const isWanted = !hasNewer && events.at(-1)?.posted_by_type === 'agent'
  const { data: policy } = usePolicy(spaceId, { isWanted })
  const held = isWanted && policy ? heldBack({ events, acts: acts.acts }, policy.loop_guard) : null
  if (!held) return null
  return (
    <div className={styles.note} role="status">
      <Icon name="pause" />
      <p>{spaceTexts.held(held.agent)}</p>
    </div>
  )
}
