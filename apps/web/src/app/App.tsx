import { CSPProvider } from '@base-ui/react/csp-provider'
import { DirectionProvider } from '@base-ui/react/direction-provider'
import { Suspense, useEffect } from 'react'
import { useLocation } from 'wouter'
import { handleSignOut } from '../features/composer/unsent'
import { NewKey } from '../features/credential/NewKey'
import { Welcome } from '../features/session/Welcome'
import { LANGUAGES, language } from '../languages/language'
import { ADD_ACCOUNT, CONFIRM_EMAIL, SIGN_IN_CALLBACK, SIGN_IN_EMAIL } from '../shared/navigation/paths'
import { lazyPreload } from '../shared/session/lazy-preload'
import { accounts, SessionProvider, useAccounts, useMovedTo } from '../shared/session/session'
import { Moved } from './Moved'
import { PageError } from './PageError'
import { Shell } from './Shell'

const SignInCallback = lazyPreload(async () => (await import('../features/session/SignInCallback')).SignInCallback)
const EmailLink = lazyPreload(async () => (await import('../features/session/EmailLink')).EmailLink)

/** The root component: the sign-in page without an account, the shell with one. */
export function App() {
  const { active, ended } = useAccounts()
  const location = useMovedTo(active?.actorId)
  const [path, navigate] = useLocation()
  useEffect(() => {
    // Another tab has signed an account in or out.
    const onStorage = (event: StorageEvent) => {
      if (accounts.isStorageKey(event.key)) accounts.refresh()
      handleSignOut(event)
    }
    window.addEventListener('storage', onStorage)
    return () => window.removeEventListener('storage', onStorage)
  }, [])

  return (
    // Components must not write style elements, which the content security policy forbids.
    <CSPProvider disableStyleElements>
      <DirectionProvider direction={LANGUAGES[language].direction}>
        <PageError>
          {path === SIGN_IN_EMAIL || path === CONFIRM_EMAIL ? (
            <Suspense>
              <EmailLink path={path} onDone={(from) => navigate(from, { replace: true })} />
            </Suspense>
          ) : path === SIGN_IN_CALLBACK ? (
            <Suspense>
              <SignInCallback onDone={(from) => navigate(from, { replace: true })} />
            </Suspense>
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
      </DirectionProvider>
    </CSPProvider>
  )
}
