import { CSPProvider } from '@base-ui/react/csp-provider'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { handleSignOut } from '../composer/unsaid'
import { Moved } from '../session/Moved'
import { NewKey } from '../session/NewKey'
import { SignInCallback } from '../session/SignInCallback'
import { accounts, SessionProvider, useAccounts, useMove } from '../session/session'
import { Welcome } from '../session/Welcome'
import { PageError } from './PageError'
import { ADD_ACCOUNT, SIGN_IN_CALLBACK } from './paths'
import { Shell } from './Shell'

/** The whole page: the door while nobody is signed in, and behind it everything else. */
export function App() {
  const { active, ended } = useAccounts()
  const location = useMove(active?.actorId)
  const [path, navigate] = useLocation()
  useEffect(() => {
    // Another tab has signed somebody in or out on this device.
    const onStorage = (event: StorageEvent) => {
      if (accounts.isKeptAs(event.key)) accounts.refresh()
      handleSignOut(event)
    }
    window.addEventListener('storage', onStorage)
    return () => window.removeEventListener('storage', onStorage)
  }, [])

  return (
    // Components must not write style elements, which the content security policy forbids.
    <CSPProvider disableStyleElements>
      <PageError>
        {path === SIGN_IN_CALLBACK ? (
          <SignInCallback onDone={(from) => navigate(from, { replace: true })} />
        ) : active === null ? (
          <Welcome ended={ended} />
        ) : path === ADD_ACCOUNT ? (
          <Welcome ended={null} onDone={() => navigate('/')} />
        ) : (
          <SessionProvider key={`${active.actorId} ${active.token}`} account={active}>
            {location === undefined ? <Shell /> : <Moved location={location} />}
          </SessionProvider>
        )}
        <NewKey />
      </PageError>
    </CSPProvider>
  )
}
