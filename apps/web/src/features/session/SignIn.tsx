import { type FormEvent, useState } from 'react'
import { Button } from '../../shared/components/Button'
import { CheckField, HiddenUsername, TextField } from '../../shared/components/Field'
import { explainShort, hasStatus } from '../../shared/explain'
import { clientFor } from '../../shared/session/client'
import { accounts } from '../../shared/session/session'
import { texts } from '../../shared/texts'
import { OtherMethods } from './OtherMethods'
import { useSignInMethods } from './sign-in-methods'
import { signInTexts } from './texts'
import styles from './Welcome.module.css'

/** Signs in with an API key or personal access token, which the server checks before the page stores it. */
export function SignIn({ onDone }: { readonly onDone: () => void }) {
  const [key, setKey] = useState('')
  const [isRemembered, setIsRemembered] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const ways = useSignInMethods()
  const signIn = signInTexts

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const token = key.trim()
    if (!/^svc_[\x21-\x7e]+$/.test(token)) return setError(signIn.malformed)
    setIsBusy(true)
    try {
      const { actor_id, display_name, actor_type } = await clientFor(token).actor.me.query()
      accounts.add({ actorId: actor_id, name: display_name, kind: actor_type, token, isRemembered })
      onDone()
    } catch (refusal) {
      setError(wordsFor(refusal))
      setIsBusy(false)
    }
  }
  return (
    <div className={styles.form}>
      {ways && <OtherMethods ways={ways} isRemembered={isRemembered} onDone={onDone} />}
      <form className={styles.form} onSubmit={submit}>
        <HiddenUsername name={texts.product} />
        <TextField
          label={signIn.key}
          hint={signIn.keyHint}
          error={error}
          type="password"
          value={key}
          onChange={setKey}
          autoComplete="current-password"
          spellCheck={false}
          required
        />
        <CheckField
          label={signIn.remember}
          hint={signIn.rememberHint}
          checked={isRemembered}
          onChange={setIsRemembered}
        />
        <Button look="primary" type="submit" isBusy={isBusy}>
          {signIn.submit}
        </Button>
      </form>
    </div>
  )
}

const wordsFor = (refusal: unknown): string => (hasStatus(refusal, 401) ? signInTexts.refused : explainShort(refusal))
