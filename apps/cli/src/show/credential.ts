import type { Credential, EndedItems } from '@collab-spaces/client'
import type { Style } from '../terminal/style.js'
import { lines, type StyledText, styled, type Text } from '../terminal/styled.js'
import { numberedTable } from '../terminal/table.js'
import { relativeTime } from '../terminal/time.js'
import { isLimited, limitsIn } from './limits.js'

export function listOfCredentials(credentials: readonly Credential[], style: Style): Text {
  return numberedTable(style, credentials, {
    credential: ({ credential_id }) => credential_id,
    name: nameOf,
    created: ({ created_at }) => relativeTime(created_at),
    'last used': ({ last_used_at }) => relativeTime(last_used_at),
    ...(credentials.some(isLimited) && { limits: limitsIn }),
    'ends with it': ({ ends }) => summaryOf(ends),
  })
}

const nameOf = ({ kind, name, revoked_at }: Credential): string => {
  if (kind !== 'api_key') return name ?? ''
  return revoked_at === null ? 'API key' : 'API key (revoked)'
}

const NOUNS = {
  token: ['token', 'tokens'],
  session: ['session', 'sessions'],
  grant: ['grant', 'grants'],
  passkey: ['passkey', 'passkeys'],
  identity: ['identity', 'identities'],
  api_key: ['API key', 'API keys'],
  agent: ['agent', 'agents'],
  agent_code: ['agent invitation', 'agent invitations'],
  invite: ['invite', 'invites'],
  notification_channel: ['address for notifications', 'addresses for notifications'],
  webhook: ['webhook', 'webhooks'],
} as const

/** How many there are of each kind, as far as the service tells. */
function summaryOf({ count, items }: EndedItems): string {
  if (count > items.length) return `${count}`
  return Object.entries(NOUNS)
    .map(([kind, [one, many]]) => [items.filter((item) => item.kind === kind).length, one, many] as const)
    .filter(([number]) => number > 0)
    .map(([number, one, many]) => `${number} ${number === 1 ? one : many}`)
    .join(', ')
}

/** The things that end with a credential, or have ended: a line for each. Empty if there are none. */
export function linesOfEnded({ count, items }: EndedItems): StyledText[] {
  const listed = items.map(
    ({ kind, id, name }) => styled`  ${NOUNS[kind][0]} ${name === null ? id : styled`${name} (${id})`}`,
  )
  return count > items.length ? [...listed, styled`  and ${count - items.length} more: spaces audit list`] : listed
}

/** Returns a message with what ended, if anything did. */
export function withEnded(message: string, ended: EndedItems | undefined): Text {
  return ended ? lines([message, 'This has ended with it; agents are stopped:', ...linesOfEnded(ended)]) : message
}
