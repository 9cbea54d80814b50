import type { Member, RouterOutputs, Tenant } from '@collab-spaces/client'
import { cleanLine } from '../terminal/clean.js'
import type { Style } from '../terminal/style.js'
import { fields, numberedTable, table } from '../terminal/table.js'
import { relativeTime } from '../terminal/time.js'
import { nameOf } from './participant.js'

const COLOURS = { active: 'green', suspended: 'red' } as const

export const oneTenant = (tenant: Tenant, style: Style): string =>
  fields(style, [
    ['tenant', style.bold(tenant.tenant_id)],
    ['name', cleanLine(tenant.name)],
    ['status', style[COLOURS[tenant.status]](tenant.status)],
    ['schema', tenant.schema_name],
    ['created', relativeTime(tenant.created_at)],
  ])

export const oneTenantOrNone = (tenant: Tenant | null, style: Style): string =>
  tenant
    ? oneTenant(tenant, style)
    : 'You are in no tenant: you share spaces with everybody on this server who is in none.\n' +
      'Create one: spaces tenant create NAME. Have an invite? Run: spaces invite redeem'

export function listOfMembers(members: readonly Member[], style: Style): string {
  const names = namesAmong(members)
  return numberedTable(
    style,
    ['member', 'name', 'type', 'role', 'registered'],
    members.map((member) => [
      member.actor_id,
      member.display_name,
      member.stopped ? `${member.actor_type}, stopped` : member.actor_type,
      roleOf(member, names) + (member.disabled ? ', disabled' : ''),
      relativeTime(member.created_at),
    ]),
  )
}

const namesAmong = (members: readonly Member[]) =>
  new Map(members.map(({ actor_id, display_name }) => [actor_id, cleanLine(display_name)]))

type PrivateSpaces = RouterOutputs['tenant']['privateSpaces']

export function listOfPrivateSpaces(spaces: PrivateSpaces, members: readonly Member[], style: Style): string {
  if (spaces.length === 0) return 'Your tenant has no private spaces.'
  const names = namesAmong(members)
  return table(
    style,
    ['space', 'status', 'owners', 'participants', 'events', 'started'],
    spaces.map((space) => [
      space.space_id,
      space.status,
      space.owners
        .map((id) => nameOf(names, id))
        .sort()
        .join(', '),
      String(space.participant_count),
      String(space.event_count),
      relativeTime(space.started_at),
    ]),
  )
}

function roleOf({ sponsor_id, is_admin, access }: Member, names: ReadonlyMap<string, string>): string {
  if (sponsor_id !== null) return `agent of ${names.get(sponsor_id) ?? sponsor_id}`
  if (access === 'named') return 'guest'
  return is_admin ? 'admin' : 'member'
}
