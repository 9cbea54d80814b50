import { LIMITS } from '@collab-spaces/client'
import { useState } from 'react'
import { Badge } from '../../shared/components/Badge'
import { Button } from '../../shared/components/Button'
import { FormDialog } from '../../shared/components/Dialog'
import { TextField } from '../../shared/components/Field'
import { List, ListRow } from '../../shared/components/List'
import { Section } from '../../shared/components/PageFrame'
import { type Channel, type Notifications, useChangeNotifications } from '../../shared/query/notification'
import { notificationsTexts } from './texts'

/** The email address for notifications, and whether it is verified. */
export function Email({ settings }: { readonly settings: Notifications }) {
  const [isChanging, setIsChanging] = useState(false)
  const { channels, sends_email } = settings
  const channel = channels.find(({ kind }) => kind === 'email')
  const words = notificationsTexts.email
  return (
    <Section title={words.title}>
      <List label={words.title}>
        <ListRow
          icon="send"
          title={
            <>
              {channel?.address ?? words.none}
              {channel && <Badge tone={channel.verified ? 'good' : 'warn'}>{words.states[stateOf(channel)]}</Badge>}
            </>
          }
          actions={
            (sends_email || channel) && (
              <Button size="small" onClick={() => setIsChanging(true)}>
                {channel ? words.change : words.add}
              </Button>
            )
          }
        >
          <span>{sends_email ? words.hints[channel ? stateOf(channel) : 'none'] : words.noMail}</span>
        </ListRow>
      </List>
      {isChanging && <ChangeEmail channel={channel} onClose={() => setIsChanging(false)} />}
    </Section>
  )
}

const stateOf = ({ verified }: Channel) => (verified ? 'verified' : 'waiting')

interface ChangeEmailProps {
  readonly channel: Channel | undefined
  readonly onClose: () => void
}

/** Saving an unverified address sends its link again. */
function ChangeEmail({ channel, onClose }: ChangeEmailProps) {
  const [address, setAddress] = useState(channel?.address ?? '')
  const change = useChangeNotifications()
  const words = notificationsTexts.email
  const isResend = channel?.verified === false && address.trim() === channel.address
  const set = (email: string | null) => change.mutate({ email }, { onSuccess: onClose })
  return (
    <FormDialog
      title={words.title}
      description={words.text}
      request={change}
      submit={isResend ? words.sendAgain : words.submit}
      onClose={onClose}
      onSubmit={() => set(address.trim())}
    >
      <TextField
        label={words.address}
        type="email"
        value={address}
        onChange={setAddress}
        maxLength={LIMITS.email}
        autoComplete="email"
        required
      />
      {channel && (
        <Button look="plain" icon="close" isBusy={change.isPending} onClick={() => set(null)}>
          {words.remove}
        </Button>
      )}
    </FormDialog>
  )
}
