import { useState } from 'react'
import { FormDialog } from '../../shared/components/Dialog'
import { SelectField, TextField } from '../../shared/components/Field'
import { useReplayWebhook } from '../../shared/query/webhook'
import { replayWebhookTexts } from './texts'

/** Moves a webhook's cursor: resends past events, or skips pending ones. */
export function ReplayDialog({ webhookId, onClose }: { readonly webhookId: string; readonly onClose: () => void }) {
  const [place, setPlace] = useState<keyof typeof replayWebhookTexts.places>('beginning')
  const [eventId, setEventId] = useState('')
  const replay = useReplayWebhook(webhookId)
  const words = replayWebhookTexts
  const submit = () => {
    replay.mutate(place === 'event' ? eventId.trim() : place, { onSuccess: onClose })
  }
  return (
    <FormDialog
      title={words.title}
      description={words.text}
      request={replay}
      submit={words.submit}
      onClose={onClose}
      onSubmit={submit}
    >
      <SelectField
        label={words.since}
        hint={words.hints[place]}
        value={place}
        options={words.places}
        onChange={setPlace}
      />
      {place === 'event' && (
        <TextField
          label={words.event}
          hint={words.eventHint}
          value={eventId}
          onChange={setEventId}
          spellCheck={false}
          required
        />
      )}
    </FormDialog>
  )
}
