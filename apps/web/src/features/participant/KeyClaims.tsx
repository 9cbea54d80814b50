import { WorkClaimLine } from '../../shared/components/WorkClaimLine'
import { useKeyClaims } from '../../shared/query/work-claim'
import { texts } from '../../shared/texts'
import styles from './ParticipantsPanel.module.css'

/** The claims on keys. Messages and decisions show their claims themselves. */
export function KeyClaims({ spaceId }: { readonly spaceId: string }) {
  const claims = useKeyClaims(spaceId)
  if (claims.length === 0) return null
  return (
    <section className={styles.group}>
      <h3>{texts.claims.title}</h3>
      <ul>
        {claims.map((claim) => (
          <li key={claim.claim_id}>
            <bdi>{claim.key}</bdi>
            <WorkClaimLine claim={claim} />
          </li>
        ))}
      </ul>
    </section>
  )
}
