import { Cell } from '../cell'
import { texts } from '../texts'
import { IconButton } from './Button'
import styles from './PageBar.module.css'

/** Whether the navigation is open on a narrow screen. */
export const navigationShown = new Cell(false)

/** Opens the navigation on narrow screens. */
export const NavigationButton = () => (
  <span className={styles.navigation}>
    <IconButton icon="menu" label={texts.openNavigation} onClick={() => navigationShown.set(true)} />
  </span>
)

/** The top bar of a page without its own, on narrow screens. */
export const PageBar = () => (
  <div className={styles.bar}>
    <NavigationButton />
  </div>
)
