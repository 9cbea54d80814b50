import { useEffect, useState } from 'react'
import { deviceName } from '../../shared/browser/device-name'
import { EmptyState } from '../../shared/components/EmptyState'
import { explainShort } from '../../shared/explain'
import { HOME } from '../../shared/navigation/paths'
import { useTitle } from '../../shared/navigation/title'
import { clientFor } from '../../shared/session/client'
import { callAs } from '../../shared/session/session'
import { takePendingSignIn } from './pending-sign-in'
import { completeSignIn } from './sign-in-methods'
import { callbackTexts } from './texts'

/** The redirect target of the identity provider, after a sign-in or a sign-out. The code is useless without the verifier in this tab. */
export function SignInCallback({ onDone }: { readonly onDone: (path: string) => void }) {
  const [error, setError] = useState<string | null>(null)
  const words = callbackTexts
  useTitle(words.title)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once
  useEffect(() => {
    const returned = new URLSearchParams(window.location.search)
    // The provider redirects here after a sign-out, too.
    if (returned.size === 0) return onDone(HOME)
    const pending = takePendingSignIn()
    // Removes the code from the address and the browser's history.
    window.history.replaceState(null, '', window.location.pathname)
    const code = returned.get('code')
    const state = returned.get('state')
    const refused = returned.get('error')
    if (refused !== null) return setError(refused === 'access_denied' ? words.denied : words.refused)
    if (!pending || code === null || state === null) return setError(words.failed)
    const { verifier, bindTo, isRemembered } = pending
    const iss = returned.get('iss')
    const finish = { code, state, verifier, ...(iss !== null && { iss }) }
    const finished =
      bindTo === null
        ? clientFor()
            .signIn.finishOidc.mutate({ ...finish, name: deviceName(navigator.userAgent) })
            .then((signedIn) => completeSignIn(signedIn, isRemembered))
        : callAs(bindTo, (client) => client.identity.bind.mutate(finish))
    finished.then(() => onDone(pending.from)).catch((refusal: unknown) => setError(explainShort(refusal)))
  }, [])
  return (
    <main>
      <EmptyState
        isPage
        icon="key"
        title={error === null ? words.title : words.failedTitle}
        action={error !== null && <a href="/">{words.back}</a>}
      >
        {error ?? words.text}
      </EmptyState>
    </main>
  )
}
