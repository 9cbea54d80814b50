import { LIMITS } from '@collab-spaces/client'
import { useState } from 'react'
import { FormDialog } from '../../shared/components/Dialog'
import { SelectField, TextAreaField, TextField } from '../../shared/components/Field'
import { useRegisterAgent } from '../../shared/query/agent'
import { useCreateAgentCode } from '../../shared/query/agent-code'
import { texts } from '../../shared/texts'
import { LimitsFields } from '../credential/LimitsFields'
import { type LimitsDraft, limitsOf } from '../credential/limits'
import { inviteAgentTexts } from './texts'

/** The credential of a new agent. */
export type Admission =
  | { readonly kind: 'code'; readonly secret: string; readonly codeId: string; readonly name: string }
  | { readonly kind: 'key'; readonly secret: string }

interface InviteAgentProps {
  readonly onClose: () => void
  readonly onInvited: (admission: Admission) => void
}

/** The scopes that an agent needs to participate. Its sponsor may add settling and managing. */
const DEFAULT_LIMITS: LimitsDraft = { scopes: ['read', 'write'], spaceIds: [], lifetime: 'always' }

/** Invites an agent by a one-time code, or creates it and shows its key. */
export function InviteAgent({ onClose, onInvited }: InviteAgentProps) {
  const [name, setName] = useState('')
  const [profile, setProfile] = useState('')
  const [kind, setKind] = useState<Admission['kind']>('code')
  const [draft, setDraft] = useState(DEFAULT_LIMITS)
  const register = useRegisterAgent()
  const create = useCreateAgentCode()
  const request = kind === 'code' ? create : register
  const words = inviteAgentTexts

  const submit = () => {
    const agent = { display_name: name, agent_profile: profile.trim() || undefined }
    const { expires_at, space_ids } = limitsOf(draft, Date.now())
    // Sent even if all are selected: the default of the server is fewer.
    const limits = { scopes: [...draft.scopes], space_ids }
    if (kind === 'code') {
      create.mutate(
        { ...agent, ...limits, key_expires_at: expires_at },
        { onSuccess: ({ code, code_id }) => onInvited({ kind, secret: code, codeId: code_id, name }) },
      )
    } else {
      register.mutate(
        { ...agent, ...limits, expires_at },
        { onSuccess: ({ api_key }) => onInvited({ kind, secret: api_key }) },
      )
    }
  }
  return (
    <FormDialog
      title={texts.agents.add}
      description={words.text}
      request={request}
      submit={words.submits[kind]}
      isPossible={draft.scopes.length > 0}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextField label={texts.name} value={name} onChange={setName} maxLength={LIMITS.displayName} required />
      <TextAreaField
        label={words.profile}
        hint={words.profileHint}
        value={profile}
        onChange={setProfile}
        rows={2}
        maxLength={LIMITS.agentProfile}
      />
      <SelectField
        label={words.kind}
        hint={words.kindHints[kind]}
        value={kind}
        options={words.kinds}
        onChange={setKind}
      />
      <LimitsFields draft={draft} onChange={setDraft} />
    </FormDialog>
  )
}
