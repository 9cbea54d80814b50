import type { WebhookAttempt } from '@collab-spaces/client'
import { Badge } from '../../shared/components/Badge'
import list from '../../shared/components/List.module.css'
import { Time } from '../../shared/components/Time'
import { useSpaceNames } from '../../shared/query/space-name'
import { texts } from '../../shared/texts'
import styles from './Attempts.module.css'
import { failureOf } from './state'
import { webhookTexts } from './texts'

/** The latest attempts and their outcomes, newest first. */
export function Attempts({ attempts }: { readonly attempts: readonly WebhookAttempt[] }) {
  const words = webhookTexts
  const nameOf = useSpaceNames()
  if (attempts.length === 0) return <p className={styles.nothing}>{words.noAttempts}</p>
  return (
    <ol className={list.list} aria-label={words.attempts}>
      {attempts.map((attempt) => (
        <li key={`${attempt.message_id} ${attempt.started_at}`} className={styles.attempt}>
          <Badge tone={attempt.ok ? 'good' : 'bad'}>{attempt.ok ? words.delivered : words.failed}</Badge>
          <div className={styles.words}>
            <p>
              {words.typeOf[attempt.type](attempt.count)}
              {attempt.space_id !== null && ` ${texts.inSpace(nameOf(attempt.space_id))}`}
            </p>
            <p className={styles.outcome}>
              {attempt.ok ? words.answered(attempt.status ?? 0) : failureOf(attempt)}, {words.took(attempt.duration_ms)}
            </p>
          </div>
          <span className={styles.time}>
            <Time at={attempt.started_at} />
          </span>
        </li>
      ))}
    </ol>
  )
}
