import { useEffect, useState } from 'react'
import { deviceName } from '../../shared/browser/device-name'
import { Button } from '../../shared/components/Button'
import { EmptyState } from '../../shared/components/EmptyState'
import { explainShort, hasStatus } from '../../shared/explain'
import { CONFIRM_EMAIL, CREDENTIALS, HOME } from '../../shared/navigation/paths'
import { useTitle } from '../../shared/navigation/title'
import { clientFor } from '../../shared/session/client'
import { type EmailPurpose, endEmail, pendingEmail } from './pending-email'
import { completeSignIn } from './sign-in-methods'
import { callbackTexts, emailLinkTexts } from './texts'

interface EmailLinkProps {
  readonly path: string
  readonly onDone: (path: string) => void
}

type State = 'pending' | 'confirmed' | { readonly problem: string; readonly canRetry: boolean }

/**
 * The page of a link in an e-mail. It finishes at once, but only in the browser that requested the link: a mail scanner
 * that opens it has no verifier, and uses nothing up.
 */
export function EmailLink({ path, onDone }: EmailLinkProps) {
  const purpose: EmailPurpose = path === CONFIRM_EMAIL ? 'confirm' : 'signIn'
  const [code] = useState(() => window.location.hash.slice(1))
  const [state, setState] = useState<State>('pending')
  const words = emailLinkTexts
  const title = purpose === 'confirm' ? words.confirming : callbackTexts.title
  useTitle(title)

  const finish = async () => {
    const pending = pendingEmail(purpose)
    if (!pending || code === '') return setState({ problem: words.elsewhere, canRetry: false })
    setState('pending')
    const { verifier, isRemembered, from } = pending
    try {
      if (purpose === 'confirm') {
        await clientFor().identity.bindEmail.mutate({ code, verifier })
        setState('confirmed')
      } else {
        const name = deviceName(navigator.userAgent)
        completeSignIn(await clientFor().signIn.finishEmail.mutate({ code, verifier, name }), isRemembered)
        onDone(from)
      }
      endEmail(purpose)
    } catch (refusal) {
      setState({ problem: explainShort(refusal), canRetry: !hasStatus(refusal, 403) })
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once
  useEffect(() => {
    // Removes the code from the address and the browser's history.
    window.history.replaceState(null, '', window.location.pathname)
    void finish()
  }, [])

  return (
    <main>
      <EmptyState isPage icon="key" {...shownAs(state, title, purpose, finish)} />
    </main>
  )
}

/** Returns the title, the text and the next step of a state. */
function shownAs(state: State, pending: string, purpose: EmailPurpose, retry: () => void) {
  if (state === 'pending') return { title: pending, children: callbackTexts.text }
  if (state === 'confirmed') {
    const action = <a href={CREDENTIALS}>{emailLinkTexts.account}</a>
    return { title: emailLinkTexts.confirmed, children: emailLinkTexts.confirmedText, action }
  }
  const { problem, canRetry } = state
  const action = canRetry ? (
    <Button onClick={retry}>{emailLinkTexts.retry}</Button>
  ) : (
    <a href={purpose === 'confirm' ? CREDENTIALS : HOME}>{callbackTexts.back}</a>
  )
  return { title: callbackTexts.failedTitle, children: problem, action }
}
