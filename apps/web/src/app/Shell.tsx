import { Suspense, useEffect, useState } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { usePresence } from '../features/notification/usePresence'
import { useTabNotifications } from '../features/notification/useTabNotifications'
import { pendingInvite, setPendingInvite } from '../features/session/pending-invite'
import { RedeemInvite } from '../features/session/RedeemInvite'
import { useNavigationCovers } from '../shared/browser/media'
import { useCell } from '../shared/cell'
import { navigationShown } from '../shared/components/PageBar'
import { Skeleton } from '../shared/components/Skeleton'
import { shownCard } from '../shared/components/shown-card'
import { lazyPreload, preloadAll } from '../shared/session/lazy-preload'
import { useSession } from '../shared/session/session'
import { BottomBar } from './BottomBar'
import { FacePictures } from './FacePictures'
import { useGlobalFocusRestore } from './focus-restore'
import { Shortcuts } from './menu/Shortcuts'
import { skipToContent } from './menu/texts'
import { NotFound } from './NotFound'
import { PageError } from './PageError'
import { PaletteKey } from './palette/PaletteKey'
import { ROUTES } from './routes'
import styles from './Shell.module.css'
import { Sidebar } from './Sidebar'
import { useSignals } from './signals'
import { Toast } from './Toast'
import { Unreachable } from './Unreachable'

const ActorCards = lazyPreload(async () => (await import('../features/actor/ActorCards')).ActorCards)

/** The frame around all pages: the navigation, shortcuts, the palette and toasts. */
export function Shell() {
  useSignals()
  useTabNotifications()
  usePresence()
  useGlobalFocusRestore()
  const [location] = useLocation()
  const isOpen = useCell(navigationShown)
  const isOverlay = useNavigationCovers()
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigating and turning a phone close the navigation
  useEffect(closeNavigation, [location, isOverlay])
  useEffect(() => void preloadAll(), [])
  // Loads the cards when the first one opens.
  const isCardOpen = useCell(shownCard) !== null
  const [hasCards, setHasCards] = useState(false)
  if (isCardOpen && !hasCards) setHasCards(true)

  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content" data-unprinted>
        {skipToContent}
      </a>
      <Sidebar isOpen={isOpen} onClose={closeNavigation} />
      {/* Inert while the navigation covers it. */}
      <main className={styles.main} id="content" tabIndex={-1} inert={isOpen}>
        {/* Navigating away leaves an error page. */}
        <PageError key={noun(location)} path={location}>
          <Suspense
            fallback={
              <div className={styles.loading}>
                <Skeleton rows={4} />
              </div>
            }
          >
            <Switch>
              {ROUTES.map(({ path, page: Page }) => (
                <Route key={path} path={path}>
                  <Page />
                </Route>
              ))}
              <Route>
                <NotFound />
              </Route>
            </Switch>
          </Suspense>
        </PageError>
      </main>
      <BottomBar isCovered={isOpen} />
      <InviteLink />
      <Shortcuts />
      <Suspense>{hasCards && <ActorCards />}</Suspense>
      <FacePictures />
      <PaletteKey />
      <Unreachable />
      <Toast />
    </div>
  )
}

/** Offers a human the invite whose link this tab has opened. */
function InviteLink() {
  const code = useCell(pendingInvite)
  const { kind } = useSession().account
  if (code === null || kind !== 'human') return null
  return <RedeemInvite isOpen initialCode={code} onClose={() => setPendingInvite(null)} />
}

const closeNavigation = () => navigationShown.set(false)

/** Returns the part of a path that identifies its page: `/s/plans` of `/s/plans/e/…`. */
const noun = (path: string) => path.split('/').slice(0, 3).join('/')
