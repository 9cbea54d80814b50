import { IconLink } from '../../shared/components/IconLink'
import { decisionsPath } from '../../shared/navigation/paths'
import { useDecisionCounts } from '../../shared/query/decision'
import styles from './DecisionsLink.module.css'
import { decisionsTexts } from './texts'

/** Links to the decisions of a space, with the number of open ones. */
export function DecisionsLink({ spaceId }: { readonly spaceId: string }) {
  const { data: counts } = useDecisionCounts(spaceId)
  const open = counts?.proposed ?? 0
  return (
    <IconLink
      href={decisionsPath(spaceId)}
      icon="decision"
      label={decisionsTexts.open(open)}
      word={decisionsTexts.heading}
    >
      {open > 0 && <span className={styles.count}>{open > 99 ? '99+' : open}</span>}
    </IconLink>
  )
}
