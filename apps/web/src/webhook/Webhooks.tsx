import { useState } from 'react'
import { Button } from '../components/Button'
import { EmptyState } from '../components/EmptyState'
import { ErrorNote } from '../components/ErrorNote'
import { List } from '../components/List'
import { Section } from '../components/PageFrame'
import { SecretDialog } from '../components/SecretDialog'
import { Skeleton } from '../components/Skeleton'
import { useWebhooks, type WebhookReach } from '../query/webhook'
import { texts } from '../texts'
import { CreateWebhook } from './CreateWebhook'
import { WebhookRow } from './WebhookRow'

/** The webhooks of an account and its agents, or those of a tenant for its admins. */
export function Webhooks({ reach }: { readonly reach: WebhookReach }) {
  const { data: webhooks, error, refetch } = useWebhooks(reach)
  const [isCreating, setIsCreating] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const words = texts.webhooks
  const create = (
    <Button icon="plus" onClick={() => setIsCreating(true)}>
      {words.create}
    </Button>
  )
  const title = words.titles[reach]
  return (
    <Section title={title} aside={webhooks && webhooks.length > 0 && create}>
      {error && !webhooks ? (
        <ErrorNote error={error} onRetry={() => void refetch()} />
      ) : !webhooks ? (
        <Skeleton rows={2} />
      ) : webhooks.length === 0 ? (
        <EmptyState icon="webhook" title={words.emptyTitle} action={create}>
          {words.emptyText}
        </EmptyState>
      ) : (
        <List label={title}>
          {webhooks.map((webhook) => (
            <WebhookRow key={webhook.webhook_id} webhook={webhook} isOwnerNamed={reach === 'tenant'} />
          ))}
        </List>
      )}
      {isCreating && (
        <CreateWebhook
          onClose={() => setIsCreating(false)}
          onCreated={(secret) => {
            setIsCreating(false)
            setSecret(secret)
          }}
        />
      )}
      <SecretDialog secret={secret} {...words.secret} onDone={() => setSecret(null)} />
    </Section>
  )
}
