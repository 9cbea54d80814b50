import { Suspense, useState } from 'react'
import { Button } from '../../shared/components/Button'
import { ErrorNote } from '../../shared/components/ErrorNote'
import { lazyPreload } from '../../shared/session/lazy-preload'
import { PasskeyNote } from './PasskeyNote'
import {
  passkeyOrigin,
  redirectToProvider,
  type SignInMethods,
  signInWithPasskey,
  supportsPasskeys,
} from './sign-in-methods'
import { signInTexts } from './texts'
import styles from './Welcome.module.css'

const EmailSignIn = lazyPreload(async () => (await import('./EmailSignIn')).EmailSignIn)

interface OtherMethodsProps {
  readonly ways: SignInMethods
  readonly isRemembered: boolean
  readonly onDone: () => void
}

/** Signs in by passkey, identity provider or a link in e-mail. */
export function OtherMethods({ ways, isRemembered, onDone }: OtherMethodsProps) {
  const [busy, setBusy] = useState<'oidc' | 'passkey' | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isByEmail, setIsByEmail] = useState(false)
  const signIn = signInTexts
  const begin = (way: 'oidc' | 'passkey', work: () => Promise<void>) => async () => {
    setBusy(way)
    setError(null)
    try {
      await work()
    } catch (refusal) {
      setError(isDeclined(refusal) ? null : refusal)
      setBusy(null)
    }
  }
  const passkey = begin('passkey', async () => {
    await signInWithPasskey(isRemembered)
    onDone()
  })
  const oidc = begin('oidc', () => redirectToProvider({ isRemembered, bindTo: null }))
  const otherOrigin = passkeyOrigin(ways)
  if (!ways.oidc && !ways.email && !supportsPasskeys(ways) && otherOrigin === null) return null
  return (
    <div className={styles.form}>
      {ways.oidc && (
        <Button look="primary" onClick={oidc} isBusy={busy === 'oidc'}>
          {signIn.withProvider(ways.oidc.name)}
        </Button>
      )}
      {supportsPasskeys(ways) && (
        <Button icon="key" onClick={passkey} isBusy={busy === 'passkey'}>
          {signIn.withPasskey}
        </Button>
      )}
      {ways.email && !isByEmail && (
        <Button icon="send" onClick={() => setIsByEmail(true)}>
          {signIn.withEmail}
        </Button>
      )}
      {isByEmail && (
        <Suspense>
          <EmailSignIn isRemembered={isRemembered} />
        </Suspense>
      )}
      {otherOrigin !== null && <PasskeyNote origin={otherOrigin} />}
      {error !== null && <ErrorNote error={error} />}
    </div>
  )
}

/** Returns whether the user closed the browser's prompt, which is not an error. */
const isDeclined = (refusal: unknown): boolean => refusal instanceof Error && refusal.name === 'NotAllowedError'
