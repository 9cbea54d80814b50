import type { WorkClaim } from '@collab-spaces/client'
import { texts } from '../texts'
import { clockTime } from '../time'
import { Icon } from './Icon'
import styles from './WorkClaimLine.module.css'

/** "Claimed by Scout until 14:05", and its progress. */
export function WorkClaimLine({ claim }: { readonly claim: WorkClaim | undefined }) {
  if (!claim) return null
  const { holder_name, expires_at, progress } = claim
  return (
    <span className={styles.line}>
      <Icon name="clock" size={13} /> {texts.claims.held(holder_name, clockTime(expires_at))}
      {progress !== null && (
        <>
          : <bdi>{progress}</bdi>
        </>
      )}
    </span>
  )
}
