import { useEffect, useState } from 'react'
import { deviceName } from '../../shared/browser/device-name'
import { EmptyState } from '../../shared/components/EmptyState'
import { explainShort } from '../../shared/explain'
import { useTitle } from '../../shared/navigation/title'
import { clientFor } from '../../shared/session/client'
import { callAs } from '../../shared/session/session'
import { takeBegun } from './begun'
import { callbackTexts } from './texts'
import { comeIn } from './ways'

/** The page that the provider sends the browser back to. Its address is worth nothing without the data of this tab. */
export function SignInCallback({ onDone }: { readonly onDone: (path: string) => void }) {
  const [error, setError] = useState<string | null>(null)
  const words = callbackTexts
  useTitle(words.title)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, whoever renders it
  useEffect(() => {
    const returned = new URLSearchParams(window.location.search)
    const begun = takeBegun()
    // Neither the history of the browser nor a reload has it.
    window.history.replaceState(null, '', window.location.pathname)
    const code = returned.get('code')
    const state = returned.get('state')
    const refused = returned.get('error')
    if (refused !== null) return setError(refused === 'access_denied' ? words.denied : words.refused)
    if (!begun || code === null || state === null) return setError(words.failed)
    const { verifier, bindTo, isRemembered } = begun
    const iss = returned.get('iss')
    const finish = { code, state, verifier, ...(iss !== null && { iss }) }
    const finished =
      bindTo === null
        ? clientFor()
            .signIn.finishOidc.mutate({ ...finish, name: deviceName(navigator.userAgent) })
            .then((signedIn) => comeIn(signedIn, isRemembered))
        : callAs(bindTo, (client) => client.identity.bind.mutate(finish))
    finished.then(() => onDone(begun.from)).catch((refusal: unknown) => setError(explainShort(refusal)))
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
