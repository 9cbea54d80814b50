import type { Invite } from '@collab-spaces/client'
import type { Style } from '../terminal/style.js'
import { numberedTable } from '../terminal/table.js'
import { relativeTime } from '../terminal/time.js'

export function listOfInvites(invites: readonly Invite[], style: Style): string {
  if (invites.length === 0) return 'No invites. Create one: spaces invite create'
  return numberedTable(
    style,
    ['invite', 'for', 'space', 'created', 'status'],
    invites.map((invite) => [
      invite.invite_id,
      invite.email ?? '-',
      invite.default_space_id ?? '-',
      relativeTime(invite.created_at),
      statusOf(invite, style),
    ]),
  )
}

function statusOf({ redeemed_at, revoked_at, expires_at }: Invite, style: Style): string {
  if (redeemed_at !== null) return style.green(`redeemed ${relativeTime(redeemed_at)}`)
  if (revoked_at !== null) return style.gray(`revoked ${relativeTime(revoked_at)}`)
  if (Date.parse(expires_at) <= Date.now()) return style.gray(`expired ${relativeTime(expires_at)}`)
  return style.yellow(`open, expires ${relativeTime(expires_at)}`)
}
