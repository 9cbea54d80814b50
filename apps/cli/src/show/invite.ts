import type { Invite } from '@collab-spaces/client'
import type { Style } from '../terminal/style.js'
import type { Text } from '../terminal/styled.js'
import { numberedTable } from '../terminal/table.js'
import { relativeTime } from '../terminal/time.js'

export function listOfInvites(invites: readonly Invite[], style: Style): Text {
  if (invites.length === 0) return 'No invites. Create one: spaces invite create'
  return numberedTable(style, invites, {
    invite: ({ invite_id }) => invite_id,
    for: ({ email }) => email ?? '-',
    space: ({ default_space_id }) => default_space_id ?? '-',
    created: ({ created_at }) => relativeTime(created_at),
    status: (invite) => statusOf(invite, style),
  })
}

function statusOf({ redeemed_at, revoked_at, expires_at }: Invite, style: Style): Text {
  if (redeemed_at !== null) return style.green(`redeemed ${relativeTime(redeemed_at)}`)
  if (revoked_at !== null) return style.gray(`revoked ${relativeTime(revoked_at)}`)
  if (Date.parse(expires_at) <= Date.now()) return style.gray(`expired ${relativeTime(expires_at)}`)
  return style.yellow(`open, expires ${relativeTime(expires_at)}`)
}
