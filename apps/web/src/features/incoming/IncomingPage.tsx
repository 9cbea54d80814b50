import { useState } from 'react'
import { useParams } from 'wouter'
import { Button } from '../../shared/components/Button'
import { EmptyState } from '../../shared/components/EmptyState'
import { List } from '../../shared/components/List'
import { Loaded } from '../../shared/components/Loaded'
import { PageFrame } from '../../shared/components/PageFrame'
import { spacePath } from '../../shared/navigation/paths'
import { useTitle } from '../../shared/navigation/title'
import { type IncomingWebhookWithSecret, useIncomingWebhooks } from '../../shared/query/incoming-webhook'
import { useCanManageSpace } from '../../shared/query/permission'
import { useSpace } from '../../shared/query/space'
import { useSpaceName } from '../../shared/query/space-name'
import { CreateIncoming } from './CreateIncoming'
import { IncomingRow } from './IncomingRow'
import { IncomingSecret } from './IncomingSecret'
import { incomingTexts } from './texts'

/** The addresses at which other tools post in a space. */
export function IncomingPage() {
  const { spaceId = '' } = useParams<{ spaceId: string }>()
  const query = useIncomingWebhooks(spaceId)
  const canManage = useCanManageSpace(useSpace(spaceId).data)
  const [isCreating, setIsCreating] = useState(false)
  const [made, setMade] = useState<IncomingWebhookWithSecret | null>(null)
  const name = useSpaceName(spaceId)
  const words = incomingTexts
  useTitle(words.title)
  const create = canManage && (
    <Button icon="plus" onClick={() => setIsCreating(true)}>
      {words.create}
    </Button>
  )
  return (
    <PageFrame
      back={{ href: spacePath(spaceId), label: name }}
      title={words.title}
      lead={words.lead(name)}
      actions={query.data && query.data.length > 0 && create}
    >
      <Loaded query={query} rows={2}>
        {(webhooks) =>
          webhooks.length === 0 ? (
            <EmptyState icon="webhook" title={words.emptyTitle} action={create}>
              {canManage ? words.emptyText : words.ask}
            </EmptyState>
          ) : (
            <List label={words.title}>
              {webhooks.map((webhook) => (
                <IncomingRow key={webhook.incoming_webhook_id} webhook={webhook} canManage={canManage} />
              ))}
            </List>
          )
        }
      </Loaded>
      {isCreating && (
        <CreateIncoming
          spaceId={spaceId}
          onClose={() => setIsCreating(false)}
          onMade={(webhook) => {
            setIsCreating(false)
            setMade(webhook)
          }}
        />
      )}
      <IncomingSecret made={made} onDone={() => setMade(null)} />
    </PageFrame>
  )
}
