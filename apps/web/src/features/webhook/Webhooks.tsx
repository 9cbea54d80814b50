import { useState } from 'react'
import { Button } from '../../shared/components/Button'
import { EmptyState } from '../../shared/components/EmptyState'
import { List } from '../../shared/components/List'
import { Loaded } from '../../shared/components/Loaded'
import { Section } from '../../shared/components/PageFrame'
import { CreateWithSecret } from '../../shared/components/SecretDialog'
import { useWebhooks, type WebhookReach } from '../../shared/query/webhook'
import { CreateWebhook } from './CreateWebhook'
import { webhooksTexts } from './texts'
import { WebhookRow } from './WebhookRow'

/** The webhooks of an account and its agents, or those of a tenant for its admins. */
export function Webhooks({ reach }: { readonly reach: WebhookReach }) {
  const query = useWebhooks(reach)
  const { data: webhooks } = query
  const [isCreating, setIsCreating] = useState(false)
  const words = webhooksTexts
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
      <CreateWithSecret
        isOpen={isCreating}
        onClose={() => setIsCreating(false)}
        dialog={CreateWebhook}
        words={words.secret}
      />
    </Section>
  )
}
