import { useState } from 'react'
import { Button } from '../components/Button'
import { EmptyState } from '../components/EmptyState'
import { List } from '../components/List'
import { Loaded } from '../components/Loaded'
import { Section } from '../components/PageFrame'
import { MadeSecret } from '../components/SecretDialog'
import { useWebhooks, type WebhookReach } from '../query/webhook'
import { texts } from '../texts'
import { CreateWebhook } from './CreateWebhook'
import { WebhookRow } from './WebhookRow'

/** The webhooks of an account and its agents, or those of a tenant for its admins. */
export function Webhooks({ reach }: { readonly reach: WebhookReach }) {
  const query = useWebhooks(reach)
  const { data: webhooks } = query
  const [isCreating, setIsCreating] = useState(false)
  const words = texts.webhooks
  const create = (
    <Button icon="plus" onClick={() => setIsCreating(true)}>
      {words.create}
    </Button>
  )
  const title = words.titles[reach]
  return (
    <Section title={title} aside={webhooks && webhooks.length > 0 && create}>
      <Loaded query={query} rows={2}>
        {(webhooks) =>
          webhooks.length === 0 ? (
            <EmptyState icon="webhook" title={words.emptyTitle} action={create}>
              {words.emptyText}
            </EmptyState>
          ) : (
            <List label={title}>
              {webhooks.map((webhook) => (
                <WebhookRow key={webhook.webhook_id} webhook={webhook} isOwnerNamed={reach === 'tenant'} />
              ))}
            </List>
          )
        }
      </Loaded>
      <MadeSecret
        isOpen={isCreating}
        onClose={() => setIsCreating(false)}
        dialog={CreateWebhook}
        words={words.secret}
      />
    </Section>
  )
}
