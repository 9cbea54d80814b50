import { useState } from 'react'
import { FormDialog } from '../../shared/components/Dialog'
import { SelectField, TextField } from '../../shared/components/Field'
import { type IncomingWebhookWithSecret, useCreateIncomingWebhook } from '../../shared/query/incoming-webhook'
import { createIncomingTexts, incomingTexts } from './texts'

interface CreateIncomingProps {
  readonly spaceId: string
  readonly onClose: () => void
  readonly onMade: (made: IncomingWebhookWithSecret) => void
}

type Format = IncomingWebhookWithSecret['format']

/** Most tools can post to Slack. */
const FORMATS: readonly Format[] = ['slack', 'github', 'json', 'standard']

/** Creates an incoming webhook of a space. */
export function CreateIncoming({ spaceId, onClose, onMade }: CreateIncomingProps) {
  const [name, setName] = useState('')
  const [format, setFormat] = useState<Format>('slack')
  const create = useCreateIncomingWebhook(spaceId)
  const words = createIncomingTexts
  return (
    <FormDialog
      title={incomingTexts.create}
      description={words.text}
      request={create}
      submit={words.submit}
      isPossible={name.trim() !== ''}
      onClose={onClose}
      onSubmit={() => create.mutate({ name, format }, { onSuccess: onMade })}
    >
      <TextField label={words.name} hint={words.nameHint} value={name} onChange={setName} />
      <SelectField
        label={words.format}
        hint={words.hints[format]}
        value={format}
        options={FORMATS.map((value) => ({ value, label: incomingTexts.formats[value] }))}
        onChange={setFormat}
      />
    </FormDialog>
  )
}
