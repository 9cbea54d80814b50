import type { Token } from '@collab-spaces/client'
import { relativeTime } from '../terminal/time.js'

type Limits = Pick<Token, 'scopes' | 'space_ids' | 'expires_at'>

/** The limits of a credential, in a few words. */
export function limitsIn({ scopes, space_ids, expires_at }: Limits): string {
  const parts = [
    ...(scopes ? [scopes.join(', ')] : []),
    ...(space_ids ? [`in ${space_ids.join(', ')}`] : []),
    ...(expires_at ? [`expires ${relativeTime(expires_at)}`] : []),
  ]
  return parts.length > 0 ? parts.join('; ') : 'none'
}

export const isLimited = (limits: Limits): boolean => limitsIn(limits) !== 'none'
