import type { AgentCode } from '@collab-spaces/client'
import type { Style } from '../terminal/style.js'
import type { Text } from '../terminal/styled.js'
import { numberedTable } from '../terminal/table.js'
import { relativeTime } from '../terminal/time.js'
import { limitsIn } from './limits.js'

export function listOfAgentCodes(codes: readonly AgentCode[], style: Style): Text {
  if (codes.length === 0) return 'No invitations. Invite an agent: spaces agent invite NAME'
  return numberedTable(style, codes, {
    invitation: ({ code_id }) => code_id,
    agent: ({ display_name }) => display_name,
    state: stateOf,
    limits: (code) => limitsIn({ ...code, expires_at: code.key_expires_at }),
  })
}

function stateOf({ agent_id, redeemed_at, revoked_at, expires_at }: AgentCode): string {
  if (agent_id !== null) return `joined ${relativeTime(redeemed_at)}`
  if (revoked_at !== null) return 'revoked'
  return Date.parse(expires_at) <= Date.now() ? 'expired' : `open, expires ${relativeTime(expires_at)}`
}
