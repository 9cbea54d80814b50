import { IconLink } from '../../shared/components/IconLink'
import { decisionsPath } from '../../shared/navigation/paths'
import { useDecisionCounts } from '../../shared/query/decision'
import { texts } from '../../shared/texts'
import styles from './DecisionsLink.module.css'

/** The way to the decisions of a space, with how many are open. */
export function DecisionsLink({ spaceId }: { readonly spaceId: string }) {
  const { data: counts } = useDecisionCounts(spaceId)
  const open = counts?.proposed ?? 0
  return (
    <IconLink
      href={decisionsPath(spaceId)}
      icon="decision"
      label={texts.decisions.open(open)}
      word={texts.decisions.heading}
    >
      {open > 0 && <span className={styles.count}>{open > 99 ? '99+' : open}</span>}
    </IconLink>
  )
}
