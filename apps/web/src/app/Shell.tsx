import { Suspense, useEffect, useState } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { useCell } from '../shared/cell'
import { navigationShown } from '../shared/components/PageBar'
import { Skeleton } from '../shared/components/Skeleton'
import { shownCard } from '../shared/components/shown-card'
import { later, loadAhead } from '../shared/lazy-preload'
import { useKeptKeyboard } from './focus-restore'
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

const ActorCards = later(async () => (await import('../features/actor/ActorCards')).ActorCards)

/** The parts that stay while pages come and go: the navigation, and the frame of the page. */
export function Shell() {
  useSignals()
  useKeptKeyboard()
  const [location] = useLocation()
  const isOpen = useCell(navigationShown)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever goes somewhere is done with the navigation
  useEffect(closeNavigation, [location])
  useEffect(() => void loadAhead(), [])
  // From the first one on: their code is not part of the first view.
  const isCardAsked = useCell(shownCard) !== null
  const [hasCards, setHasCards] = useState(false)
  if (isCardAsked && !hasCards) setHasCards(true)

  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        {skipToContent}
      </a>
      <Sidebar isOpen={isOpen} onClose={closeNavigation} />
      {/* While the navigation lies over it, neither the keyboard nor a screen reader comes here. */}
      <main className={styles.main} id="content" tabIndex={-1} inert={isOpen}>
        {/* An error stays with its page: going elsewhere is a way out of it. */}
        <PageError key={noun(location)} place={location}>
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
      <Shortcuts />
      <Suspense>{hasCards && <ActorCards />}</Suspense>
      <PaletteKey />
      <Unreachable />
      <Toast />
    </div>
  )
}

const closeNavigation = () => navigationShown.set(false)

/** The part of an address that says what the page is about: `/s/plans` of `/s/plans/e/…`. */
const noun = (path: string) => path.split('/').slice(0, 3).join('/')
