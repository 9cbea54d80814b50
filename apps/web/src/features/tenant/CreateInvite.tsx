import { useState } from 'react'
import { FormDialog } from '../../shared/components/Dialog'
import { SelectField, TextField } from '../../shared/components/Field'
import type { CreateDialogProps } from '../../shared/components/SecretDialog'
import { useSpaces } from '../../shared/query/space'
import { spaceOption } from '../../shared/query/space-name'
import { useCreateInvite } from '../../shared/query/tenant'
import { createInviteTexts, invitesTexts } from './texts'

export function CreateInvite({ onClose, onMade }: CreateDialogProps) {
  const [email, setEmail] = useState('')
  const [spaceId, setSpaceId] = useState('')
  const { data: spaces } = useSpaces()
  const create = useCreateInvite()
  const words = createInviteTexts
  const submit = () => {
    create.mutate(
      { email: email.trim() || undefined, default_space_id: spaceId || undefined },
      { onSuccess: ({ code }) => onMade(code) },
    )
  }
  return (
    <FormDialog
      title={invitesTexts.create}
      description={words.text}
      request={create}
      submit={words.submit}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextField label={words.email} hint={words.emailHint} type="email" value={email} onChange={setEmail} />
      <SelectField
        label={words.space}
        value={spaceId}
        options={[{ value: '', label: words.noSpace }, ...(spaces ?? []).map(spaceOption)]}
        onChange={setSpaceId}
      />
    </FormDialog>
  )
}
