import { Link } from 'wouter'
import { Badge } from '../../shared/components/Badge'
import { Dialog } from '../../shared/components/Dialog'
import { List, ListRow } from '../../shared/components/List'
import { Loaded } from '../../shared/components/Loaded'
import { Time } from '../../shared/components/Time'
import { eventPath } from '../../shared/navigation/paths'
import { type IncomingDelivery, type IncomingWebhook, useIncomingWebhook } from '../../shared/query/incoming-webhook'
import { deliveriesTexts } from './texts'

interface DeliveriesProps {
  readonly webhook: IncomingWebhook
  readonly onClose: () => void
}

/** The last deliveries to an incoming webhook, with their outcomes. */
export function Deliveries({ webhook, onClose }: DeliveriesProps) {
  const { space_id, incoming_webhook_id, name } = webhook
  const query = useIncomingWebhook(space_id, incoming_webhook_id)
  const words = deliveriesTexts
  const title = words.title(name)
  return (
    <Dialog isOpen title={title} description={words.text} onClose={onClose}>
      <Loaded query={query} rows={3}>
        {({ deliveries }) =>
          deliveries.length === 0 ? (
            <p>{words.none}</p>
          ) : (
            <List label={title}>
              {deliveries.map((delivery) => (
                <Delivery
                  key={`${delivery.received_at} ${delivery.delivery_id}`}
                  delivery={delivery}
                  spaceId={space_id}
                />
              ))}
            </List>
          )
        }
      </Loaded>
    </Dialog>
  )
}

function Delivery({ delivery, spaceId }: { readonly delivery: IncomingDelivery; readonly spaceId: string }) {
  const { kind, status, event_id, error, received_at } = delivery
  const words = deliveriesTexts
  return (
    <ListRow
      icon="webhook"
      title={
        <>
          {kind ?? words.request}
          <Badge tone={error === null ? 'good' : 'bad'}>{error === null ? words.accepted : words.refused}</Badge>
        </>
      }
    >
      <span>
        <Time at={received_at} /> ·{' '}
        {error !== null ? (
          `${status}: ${error}`
        ) : event_id !== null ? (
          <Link href={eventPath(spaceId, event_id)}>{words.showMessage}</Link>
        ) : (
          words.nothingPosted
        )}
      </span>
    </ListRow>
  )
}
