import { SpacesError } from '@collab-spaces/client'
import { useRef } from 'react'
import { deviceName } from '../../shared/browser/device-name'
import { isBlocked, notifiesHere, supportsPush } from '../../shared/browser/push'
import { Badge } from '../../shared/components/Badge'
import { Button } from '../../shared/components/Button'
import { ErrorNote } from '../../shared/components/ErrorNote'
import { List, ListRow } from '../../shared/components/List'
import { Section } from '../../shared/components/PageFrame'
import { Skeleton } from '../../shared/components/Skeleton'
import {
  type Channel,
  type Notifications,
  useEndpointHere,
  useRemoveChannel,
  useTurnOffHere,
  useTurnOnHere,
} from '../../shared/query/notification'
import { useSession } from '../../shared/session/session'
import { texts } from '../../shared/texts'
import { notificationsTexts } from './texts'

/** The browsers that receive push notifications of this account, this one first. */
export function Browsers({ settings: { channels, push_key } }: { readonly settings: Notifications }) {
  const { data: endpoint, isPending } = useEndpointHere()
  const list = useRef<HTMLDivElement>(null)
  const browsers = channels.filter(({ kind }) => kind === 'push')
  const words = notificationsTexts.browsers
  return (
    <Section title={words.title}>
      {isPending ? (
        <Skeleton rows={1} />
      ) : (
        <div ref={list} tabIndex={-1}>
          <List label={words.title}>
            <ThisBrowser pushKey={push_key} channel={browsers.find(({ address }) => address === endpoint)} />
            {browsers
              .filter(({ address }) => address !== endpoint)
              .map((channel) => (
                // Moves the focus to the list, as the focused button is removed.
                <OtherBrowser key={channel.channel_id} channel={channel} onRemoved={() => list.current?.focus()} />
              ))}
          </List>
        </div>
      )}
    </Section>
  )
}

interface ThisBrowserProps {
  /** Null if the server sends no push notifications. */
  readonly pushKey: string | null
  /** Undefined if this browser has no subscription of the account. */
  readonly channel: Channel | undefined
}

function ThisBrowser({ pushKey, channel }: ThisBrowserProps) {
  const { actorId } = useSession().account
  const turnOn = useTurnOnHere()
  const turnOff = useTurnOffHere()
  const words = notificationsTexts.browsers
  const isOn = channel !== undefined || notifiesHere(actorId)
  const state = channel ? 'on' : isOn ? 'open' : offState(pushKey)
  const error = turnOn.error ?? turnOff.error
  const change = () => {
    turnOn.reset()
    turnOff.reset()
    if (isOn) turnOff.mutate(channel?.channel_id)
    else turnOn.mutate(pushKey)
  }
  return (
    <ListRow
      icon="home"
      title={
        <>
          {channel?.name ?? deviceName(navigator.userAgent)}
          <Badge tone={channel ? 'good' : 'plain'}>{words.here}</Badge>
        </>
      }
      actions={
        state !== 'unable' && (
          <Button size="small" isBusy={turnOn.isPending || turnOff.isPending} onClick={change}>
            {isOn ? words.turnOff : words.turnOn}
          </Button>
        )
      }
    >
      {error instanceof SpacesError ? (
        <ErrorNote error={error} />
      ) : (
        <span role="status">{words.states[error && state === 'off' ? 'failed' : state]}</span>
      )}
    </ListRow>
  )
}

function offState(pushKey: string | null): 'noKey' | 'unable' | 'blocked' | 'off' {
  if (!supportsPush()) return 'unable'
  if (isBlocked()) return 'blocked'
  return pushKey === null ? 'noKey' : 'off'
}

function OtherBrowser({ channel, onRemoved }: { readonly channel: Channel; readonly onRemoved: () => void }) {
  const remove = useRemoveChannel()
  const name = channel.name ?? channel.address
  return (
    <ListRow
      icon="home"
      title={name}
      actions={
        <Button
          size="small"
          isBusy={remove.isPending}
          aria-label={texts.removeNamed(name)}
          onClick={() => remove.mutate(channel.channel_id, { onSuccess: onRemoved })}
        >
          {texts.remove}
        </Button>
      }
    >
      {remove.error && <ErrorNote error={remove.error} />}
    </ListRow>
  )
}
