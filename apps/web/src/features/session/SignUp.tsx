import { LIMITS } from '@collab-spaces/client'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { useCell } from '../../shared/cell'
import { Button } from '../../shared/components/Button'
import { ErrorNote } from '../../shared/components/ErrorNote'
import { CheckField, TextField } from '../../shared/components/Field'
import { spacePath } from '../../shared/navigation/paths'
import { clientFor } from '../../shared/session/client'
import { newKey } from '../../shared/session/new-key'
import { accounts } from '../../shared/session/session'
import { inviteCodeIn, pendingInvite, setPendingInvite } from './pending-invite'
import { signInTexts, signUpTexts } from './texts'
import styles from './Welcome.module.css'

/** Registers a human, with an invite directly in the inviting tenant. */
export function SignUp({ onDone }: { readonly onDone: () => void }) {
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const invited = useCell(pendingInvite)
  const [code, setCode] = useState(invited)
  const [isRemembered, setIsRemembered] = useState(false)
  const [, navigate] = useLocation()
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const signIn = signInTexts
  const signUp = signUpTexts

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setIsBusy(true)
    try {
      const { actor_id, display_name, api_key, default_space_id } = await clientFor().actor.register.mutate({
        display_name: name,
        email,
        ...(code && { code: inviteCodeIn(code) }),
      })
      setPendingInvite(null)
      newKey.set({ secret: api_key, ended: null })
      accounts.add({ actorId: actor_id, name: display_name, kind: 'human', token: api_key, isRemembered })
      onDone()
      if (default_space_id !== null) navigate(spacePath(default_space_id))
    } catch (refusal) {
      setError(refusal)
      setIsBusy(false)
    }
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        label={signUp.name}
        value={name}
        onChange={setName}
        autoComplete="name"
        maxLength={LIMITS.displayName}
        required
      />
      <TextField
        label={signUp.email}
        hint={signUp.emailHint}
        type="email"
        value={email}
        onChange={setEmail}
        autoComplete="email"
        maxLength={LIMITS.email}
        required
      />
      {code === null ? (
        <Button look="plain" icon="plus" className={styles.invite} onClick={() => setCode('')}>
          {signUp.haveCode}
        </Button>
      ) : (
        <TextField label={signUp.code} hint={signUp.codeHint} value={code} onChange={setCode} spellCheck={false} />
      )}
      <CheckField
        label={signIn.remember}
        hint={signIn.rememberHint}
        checked={isRemembered}
        onChange={setIsRemembered}
      />
      {error !== null && <ErrorNote error={error} />}
      <Button look="primary" type="submit" isBusy={isBusy}>
        {signUp.submit}
      </Button>
    </form>
  )
}
