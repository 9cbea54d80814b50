import type { Member, RouterOutputs, Tenant } from '@collab-spaces/client'
import { cleanLine } from '../terminal/clean.js'
import type { Style } from '../terminal/style.js'
import type { Text } from '../terminal/styled.js'
import { fields, numberedTable, table } from '../terminal/table.js'
import { relativeTime } from '../terminal/time.js'
import { nameOf } from './participant.js'

const COLOURS = { active: 'green', suspended: 'red' } as const

export const oneTenant = (tenant: Tenant, style: Style): Text =>
  fields(style, [
    ['tenant', style.bold(tenant.tenant_id)],
    ['name', tenant.name],
    ['status', style[COLOURS[tenant.status]](tenant.status)],
    ['schema', tenant.schema_name],
    ['created', relativeTime(tenant.created_at)],
  ])

export const oneTenantOrNone = (tenant: Tenant | null, style: Style): Text =>
  tenant
    ? oneTenant(tenant, style)
    : 'You are in no tenant: you share spaces with all actors of this server without one.\n' +
      'Create one: spaces tenant create NAME. Have an invite? Run: spaces invite redeem'

export function listOfMembers(members: readonly Member[], style: Style): Text {
  const names = namesAmong(members)
  return numberedTable(style, members, {
    member: ({ actor_id }) => actor_id,
    name: ({ display_name }) => display_name,
    type: ({ actor_type, stopped }) => (stopped ? `${actor_type}, stopped` : actor_type),
    role: (member) => roleOf(member, names) + (member.disabled ? ', disabled' : ''),
    registered: ({ created_at }) => relativeTime(created_at),
  })
}

const namesAmong = (members: readonly Member[]) =>
  new Map(members.map(({ actor_id, display_name }) => [actor_id, cleanLine(display_name)]))

type PrivateSpaces = RouterOutputs['tenant']['privateSpaces']

export function listOfPrivateSpaces(spaces: PrivateSpaces, members: readonly Member[], style: Style): Text {
  if (spaces.length === 0) return 'Your tenant has no private spaces.'
  const names = namesAmong(members)
  const namesOf = (ids: readonly string[]) => ids.map((id) => nameOf(names, id)).sort()
  return table(style, spaces, {
    space: ({ space_id }) => space_id,
    status: ({ status }) => status,
    owners: ({ owners }) => namesOf(owners).join(', '),
    participants: ({ participant_count }) => String(participant_count),
    events: ({ event_count }) => String(event_count),
    started: ({ started_at }) => relativeTime(started_at),
  })
}

function roleOf({ sponsor_id, is_admin, access }: Member, names: ReadonlyMap<string, string>): string {
  if (sponsor_id !== null) return `agent of ${names.get(sponsor_id) ?? sponsor_id}`
  if (access === 'named') return 'guest'
  return is_admin ? 'admin' : 'member'
}
