import { useState } from 'react'
import { Dialog, DialogForm } from '../components/Dialog'
import { SelectField, TextField } from '../components/Field'
import { useSpaces } from '../query/space'
import { spaceOption } from '../query/space-name'
import { useCreateInvite } from '../query/tenant'
import { texts } from '../texts'

interface CreateInviteProps {
  readonly onClose: () => void
  /** Gets its code. */
  readonly onCreated: (code: string) => void
}

export function CreateInvite({ onClose, onCreated }: CreateInviteProps) {
  const [email, setEmail] = useState('')
  const [spaceId, setSpaceId] = useState('')
  const { data: spaces } = useSpaces()
  const create = useCreateInvite()
  const words = texts.createInvite
  const submit = () => {
    create.mutate(
      { email: email.trim() || undefined, default_space_id: spaceId || undefined },
      { onSuccess: ({ code }) => onCreated(code) },
    )
  }
  return (
    <Dialog isOpen onClose={onClose} title={words.title} description={words.text}>
      <DialogForm asked={create} submit={words.submit} onClose={onClose} onSubmit={submit}>
        <TextField label={words.email} hint={words.emailHint} type="email" value={email} onChange={setEmail} />
        <SelectField
          label={words.space}
          value={spaceId}
          options={[{ value: '', label: words.noSpace }, ...(spaces ?? []).map(spaceOption)]}
          onChange={setSpaceId}
        />
      </DialogForm>
    </Dialog>
  )
}
