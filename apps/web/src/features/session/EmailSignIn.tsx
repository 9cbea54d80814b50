import { LIMITS } from '@collab-spaces/client'
import { type FormEvent, useEffect, useState } from 'react'
import { Button } from '../../shared/components/Button'
import { ErrorNote } from '../../shared/components/ErrorNote'
import { TextField } from '../../shared/components/Field'
import { clientFor } from '../../shared/session/client'
import { startEmail } from './pending-email'
import { emailLinkTexts } from './texts'
import styles from './Welcome.module.css'

/** The time after which a link can be sent again. */
const RESEND_MS = 30_000

/** Requests a sign-in link. The link opens in a new tab, see `EmailLink`. */
export function EmailSignIn({ isRemembered }: { readonly isRemembered: boolean }) {
  const [email, setEmail] = useState('')
  /** The address and how often it was sent a link. */
  const [sent, setSent] = useState<{ readonly to: string; readonly times: number } | null>(null)
  const [canResend, setCanResend] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const words = emailLinkTexts
  const times = sent?.times ?? 0
  useEffect(() => {
    setCanResend(false)
    if (times === 0) return
    const timer = setTimeout(() => setCanResend(true), RESEND_MS)
    return () => clearTimeout(timer)
  }, [times])

  const send = async () => {
    setIsBusy(true)
    setError(null)
    try {
      await clientFor().signIn.beginEmail.mutate({ email, challenge: await startEmail('signIn', isRemembered) })
      setSent({ to: email, times: times + 1 })
    } catch (refusal) {
      setError(refusal)
    }
    setIsBusy(false)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void send()
  }
  const note = error !== null && <ErrorNote error={error} />
  if (sent !== null)
    return (
      <div className={styles.form}>
        <p className={styles.invited} role="status">
          <strong>{words.sent}</strong>
          <br />
          {words.sentText(sent.to)}
        </p>
        {note}
        <Button isBusy={isBusy} disabled={!canResend} onClick={send}>
          {words.resend}
        </Button>
        <Button look="plain" onClick={() => setSent(null)}>
          {words.change}
        </Button>
      </div>
    )
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        label={words.address}
        hint={words.hint}
        type="email"
        value={email}
        onChange={setEmail}
        autoComplete="email"
        maxLength={LIMITS.email}
        autoFocus
        required
      />
      {note}
      <Button look="primary" type="submit" isBusy={isBusy}>
        {words.send}
      </Button>
    </form>
  )
}
