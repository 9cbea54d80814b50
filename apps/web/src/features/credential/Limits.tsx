import type { Token } from '@collab-spaces/client'
import { list } from '../../languages/format'
import { Badge } from '../../shared/components/Badge'
import { Time } from '../../shared/components/Time'
import { useSpaceNames } from '../../shared/query/space-name'
import styles from './Limits.module.css'
import { limitsTexts } from './texts'

/** The limits of a credential: scopes, spaces and expiry. */
export function Limits({ limits }: { readonly limits: Pick<Token, 'scopes' | 'space_ids' | 'expires_at'> }) {
  const { scopes, space_ids, expires_at } = limits
  const nameOf = useSpaceNames()
  const spaces = space_ids?.map(nameOf)
  const words = limitsTexts
  return (
    <span className={styles.limits}>
      {scopes === null ? (
        <Badge>{words.allScopes}</Badge>
      ) : (
        scopes.map((scope) => <Badge key={scope}>{words.scopeNames[scope]}</Badge>)
      )}
      <span className={styles.more} title={spaces && list(spaces)}>
        {spaces ? words.someSpaces(spaces) : words.allSpaces}
      </span>
      <span className={styles.more}>
        {expires_at === null ? (
          words.noEnd
        ) : (
          <>
            {words.ends} <Time at={expires_at} form="date" />
          </>
        )}
      </span>
    </span>
  )
}
