import { Link } from 'wouter'
import { decisionsPath } from '../app/paths'
import { Icon } from '../components/Icon'
import { useDecisionCounts } from '../query/decision'
import { texts } from '../texts'
import styles from './DecisionsLink.module.css'

/** The way to the decisions of a space, with how many are open. */
export function DecisionsLink({ spaceId }: { readonly spaceId: string }) {
  const { data: counts } = useDecisionCounts(spaceId)
  const open = counts?.proposed ?? 0
  const label = texts.decisions.open(open)
  return (
    <Link href={decisionsPath(spaceId)} className={styles.link} aria-label={label} title={label}>
      <Icon name="decision" />
      {open > 0 && <span className={styles.count}>{open > 99 ? '99+' : open}</span>}
    </Link>
  )
}
