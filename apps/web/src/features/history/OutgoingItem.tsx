import { useCell } from '../../shared/cell'
import { Avatar } from '../../shared/components/Avatar'
import { Button } from '../../shared/components/Button'
import { Icon } from '../../shared/components/Icon'
import { Markdown } from '../../shared/markdown/Markdown'
import { connectivity } from '../../shared/session/connectivity'
import { useSession } from '../../shared/session/session'
import type { Outbox, Outgoing } from '../composer/outbox'
import { OutgoingFiles } from '../file/OutgoingFiles'
import event from './EventItem.module.css'
import styles from './OutgoingItem.module.css'
import { historyTexts, revisionTexts } from './texts'

interface OutgoingItemProps {
  readonly outgoing: Outgoing
  readonly outbox: Outbox
}

/** A message being sent, or one that failed, with retry and discard. */
export function OutgoingItem({ outgoing, outbox }: OutgoingItemProps) {
  const history = historyTexts
  const { key, text, files = [], state, failure } = outgoing
  const { actorId, name, kind } = useSession().account
  const isReached = useCell(connectivity) === 'reached'
  return (
    <article className={event.event} aria-label={history.by(name, history.sending)} data-state={state}>
      <Avatar id={actorId} name={name} kind={kind} />
      <div className={event.body}>
        <bdi className={styles.name}>{name}</bdi>
        {outgoing.corrects && <small>{revisionTexts.corrects}</small>}
        <div className={styles.text}>
          <Markdown text={text} />
        </div>
        {files.length > 0 && <OutgoingFiles actorId={actorId} files={files} />}
        {state === 'failed' ? (
          <div className={styles.failed} role="alert">
            <Icon name="warning" size={14} />
            <span>
              <strong>{history.failed}.</strong> {failure}
            </span>
            <Button size="small" icon="refresh" onClick={() => outbox.retry(key)}>
              {history.retry}
            </Button>
            <Button size="small" look="plain" onClick={() => outbox.discard(key)}>
              {history.discard}
            </Button>
          </div>
        ) : (
          state === 'sending' &&
          (isReached && files.length === 0 ? (
            <small>{history.sending}</small>
          ) : (
            <div className={styles.waits} role="status">
              <Icon name="clock" size={14} />
              <span>{isReached ? history.sending : history.waits}</span>
              <Button size="small" look="plain" onClick={() => outbox.discard(key)}>
                {history.discard}
              </Button>
            </div>
          ))
        )}
      </div>
    </article>
  )
}
