import { Link, useLocation } from 'wouter'
import { useIsNarrow } from '../shared/browser/media'
import { Count } from '../shared/components/Badge'
import { Icon } from '../shared/components/Icon'
import { navigationShown } from '../shared/components/PageBar'
import { INBOX } from '../shared/navigation/paths'
import { useAddressed } from '../shared/query/addressed'
import { texts } from '../shared/texts'
import styles from './BottomBar.module.css'
import { BAR } from './menu/navigation'
import { navigationTexts } from './menu/texts'
import { paletteShown } from './palette/PaletteKey'

/** The bar at the bottom of a phone, within reach of a thumb. A space has its composer there instead. */
export function BottomBar({ isCovered }: { readonly isCovered: boolean }) {
  const [location] = useLocation()
  const { total: waiting } = useAddressed()
  const isNarrow = useIsNarrow()
  const words = navigationTexts
  if (!isNarrow || location.startsWith('/s/')) return null
  return (
    <nav className={styles.bar} aria-label={words.bar} inert={isCovered} data-unprinted>
      {BAR.map(({ path, icon, label }) => (
        <Link key={path} href={path} className={styles.item} aria-current={location === path ? 'page' : undefined}>
          <Icon name={icon} />
          {label}
          {path === INBOX && (
            <span className={styles.count}>
              <Count count={waiting} title={texts.waiting(waiting)} />
            </span>
          )}
        </Link>
      ))}
      <button type="button" className={styles.item} onClick={() => paletteShown.set(true)}>
        <Icon name="search" />
        {words.search}
      </button>
      <button type="button" className={styles.item} onClick={() => navigationShown.set(true)}>
        <Icon name="menu" />
        {words.menu}
      </button>
    </nav>
  )
}
