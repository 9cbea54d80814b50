import { Cell } from '../cell'
import { texts } from '../texts'
import { IconButton } from './Button'
import styles from './PageBar.module.css'

/** Whether the navigation is open where there is no room for it beside the page. */
export const navigationShown = new Cell(false)

/** The way to the navigation on narrow screens, where it does not stand beside the page. */
export const NavigationButton = () => (
  <span className={styles.navigation}>
    <IconButton icon="menu" label={texts.openNavigation} onClick={() => navigationShown.set(true)} />
  </span>
)

/** The top of a page that has no bar of its own: only where it is needed. */
export const PageBar = () => (
  <div className={styles.bar}>
    <NavigationButton />
  </div>
)
