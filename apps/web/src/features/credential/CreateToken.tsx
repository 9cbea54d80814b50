import { LIMITS } from '@collab-spaces/client'
import { useState } from 'react'
import { FormDialog } from '../../shared/components/Dialog'
import { TextField } from '../../shared/components/Field'
import type { CreateDialogProps } from '../../shared/components/SecretDialog'
import { useCreateToken } from '../../shared/query/credential'
import { texts } from '../../shared/texts'
import { LimitsFields } from './LimitsFields'
import { type LimitsDraft, limitsOf } from './limits'
import { createTokenTexts, credentialsTexts } from './texts'

/** The limits selected at first, which most scripts need. */
const DEFAULT_LIMITS: LimitsDraft = { scopes: ['read', 'write'], spaceIds: [], lifetime: 'quarter' }

export function CreateToken({ onClose, onMade }: CreateDialogProps) {
  const [name, setName] = useState('')
  const [draft, setDraft] = useState(DEFAULT_LIMITS)
  const create = useCreateToken()
  const words = createTokenTexts
  const submit = () => {
    create.mutate({ name: name.trim(), ...limitsOf(draft, Date.now()) }, { onSuccess: ({ token }) => onMade(token) })
  }
  return (
    <FormDialog
      title={credentialsTexts.create}
      description={words.text}
      request={create}
      submit={words.submit}
      isPossible={draft.scopes.length > 0}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextField
        label={texts.name}
        hint={words.nameHint}
        value={name}
        onChange={setName}
        maxLength={LIMITS.tokenName}
        required
      />
      <LimitsFields draft={draft} onChange={setDraft} />
    </FormDialog>
  )
}
