import { IconButton } from '../components/Button'
import { texts } from '../texts'
import { navigationShown } from './navigation'
import styles from './PageBar.module.css'

/** The way to the navigation on narrow screens, where it does not stand beside the page. */
export const NavigationButton = () => (
  <span className={styles.navigation}>
    <IconButton icon="menu" label={texts.navigation.open} onClick={() => navigationShown.set(true)} />
  </span>
)

/** The top of a page that has no bar of its own: only where it is needed. */
export const PageBar = () => (
  <div className={styles.bar}>
    <NavigationButton />
  </div>
)
