import type { Token } from '@collab-spaces/client'
import type { Style } from '../terminal/style.js'
import { numberedTable } from '../terminal/table.js'
import { relativeTime } from '../terminal/time.js'
import { isLimited, limitsIn } from './limits.js'

export function listOfTokens(tokens: readonly Token[], style: Style): string {
  if (tokens.length === 0) return 'No tokens. Create one: spaces token create NAME'
  const isAnyRevoked = tokens.some(({ revoked_at }) => revoked_at !== null)
  const isAnyLimited = tokens.some(isLimited)
  return numberedTable(
    style,
    [
      'token',
      'name',
      'begins with',
      'created',
      'last used',
      ...(isAnyLimited ? ['limits'] : []),
      ...(isAnyRevoked ? ['revoked'] : []),
    ],
    tokens.map((token) => [
      token.pat_id,
      token.name,
      token.token_prefix,
      relativeTime(token.created_at),
      relativeTime(token.last_used_at),
      ...(isAnyLimited ? [limitsIn(token)] : []),
      ...(isAnyRevoked ? [relativeTime(token.revoked_at)] : []),
    ]),
  )
}
