import type { Token } from '@collab-spaces/client'
import type { Style } from '../terminal/style.js'
import type { Text } from '../terminal/styled.js'
import { numberedTable } from '../terminal/table.js'
import { relativeTime } from '../terminal/time.js'
import { isLimited, limitsIn } from './limits.js'

export function listOfTokens(tokens: readonly Token[], style: Style): Text {
  if (tokens.length === 0) return 'No tokens. Create one: spaces token create NAME'
  return numberedTable(style, tokens, {
    token: ({ pat_id }) => pat_id,
    name: ({ name }) => name,
    'begins with': ({ token_prefix }) => token_prefix,
    created: ({ created_at }) => relativeTime(created_at),
    'last used': ({ last_used_at }) => relativeTime(last_used_at),
    ...(tokens.some(isLimited) && { limits: limitsIn }),
    ...(tokens.some(({ revoked_at }) => revoked_at !== null) && {
      revoked: ({ revoked_at }: Token) => relativeTime(revoked_at),
    }),
  })
}
