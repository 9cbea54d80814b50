import { LIMITS } from '@collab-spaces/client'
import { useState } from 'react'
import { FormDialog } from '../../shared/components/Dialog'
import { TextField } from '../../shared/components/Field'
import type { MakerProps } from '../../shared/components/SecretDialog'
import { useCreateToken } from '../../shared/query/credential'
import { texts } from '../../shared/texts'
import { LimitsFields } from './LimitsFields'
import { type LimitsWish, limitsOf } from './limits'
import { createTokenTexts, credentialsTexts } from './texts'

/** The limits selected at first, which most scripts need. */
const DEFAULT_LIMITS: LimitsWish = { scopes: ['read', 'write'], spaceIds: [], lifetime: 'quarter' }

export function CreateToken({ onClose, onMade }: MakerProps) {
  const [name, setName] = useState('')
  const [wish, setWish] = useState(DEFAULT_LIMITS)
  const create = useCreateToken()
  const words = createTokenTexts
  const submit = () => {
    create.mutate({ name: name.trim(), ...limitsOf(wish, Date.now()) }, { onSuccess: ({ token }) => onMade(token) })
  }
  return (
    <FormDialog
      title={credentialsTexts.create}
      description={words.text}
      asked={create}
      submit={words.submit}
      isPossible={wish.scopes.length > 0}
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
      <LimitsFields wish={wish} onChange={setWish} />
    </FormDialog>
  )
}
