import type { Webhook } from '@collab-spaces/client'
import { Link } from 'wouter'
import { Badge } from '../../shared/components/Badge'
import { ListRow } from '../../shared/components/List'
import { Time } from '../../shared/components/Time'
import { webhookPath } from '../../shared/navigation/paths'
import { useActorNames } from '../../shared/query/names'
import { failureOf, stateOf } from './state'
import { webhooksTexts } from './texts'
import { useTarget } from './useTarget'
import styles from './WebhookRow.module.css'

/** A webhook in a list: its URL, target and state. */
export function WebhookRow({ webhook, isOwnerNamed }: { readonly webhook: Webhook; readonly isOwnerNamed: boolean }) {
  const { nameOf } = useActorNames()
  const target = useTarget(webhook)
  const words = webhooksTexts
  const { webhook_id, owner_id, url, lag, last_attempt } = webhook
  const { tone, label } = stateOf(webhook)
  return (
    <ListRow
      icon="webhook"
      title={
        <>
          <Link href={webhookPath(webhook_id)} className={styles.url}>
            {url}
          </Link>
          <Badge tone={tone}>{label}</Badge>
        </>
      }
    >
      <span>
        {target}
        {isOwnerNamed && ` · ${words.of(nameOf(owner_id))}`}
      </span>
      <span>
        {words.lag(lag)} ·{' '}
        {last_attempt === null ? (
          words.nothingSent
        ) : (
          <>
            {last_attempt.ok ? words.lastOk : words.lastFailed(failureOf(last_attempt))}{' '}
            <Time at={last_attempt.started_at} />
          </>
        )}
      </span>
    </ListRow>
  )
}
