import type { RouterOutputs } from '@collab-spaces/client'
import { clean } from '../terminal/clean.js'
import type { Style } from '../terminal/style.js'
import { fields, table } from '../terminal/table.js'
import { relativeTime } from '../terminal/time.js'

type Space = RouterOutputs['space']['list'][number]
type SpaceStatus = RouterOutputs['space']['status']
type Participant = RouterOutputs['participant']['list'][number]

export const SPACE_STATUSES = ['active', 'paused', 'archived'] as const

const COLOURS = { active: 'green', paused: 'yellow', archived: 'gray' } as const

const statusIn = (style: Style, status: Space['status']) => style[COLOURS[status]](status)

export function listOfSpaces(spaces: readonly Space[], style: Style): string {
  if (spaces.length === 0) return 'No spaces. Open one with: spaces space create ID'
  return table(
    style,
    ['space', 'status', 'members', 'events', 'last event', 'description'],
    spaces.map((space) => [
      space.space_id,
      statusIn(style, space.status),
      String(space.participant_count),
      String(space.event_count),
      relativeTime(space.last_event_at),
      space.description,
    ]),
  )
}

export function oneSpace(space: SpaceStatus, style: Style): string {
  const about = fields(style, [
    ['space', style.bold(space.space_id)],
    ['status', statusIn(style, space.status)],
    ['description', clean(space.description)],
    ['started', relativeTime(space.started_at)],
    ['ended', space.ended_at && relativeTime(space.ended_at)],
    ['events', String(space.event_count)],
    ['last event', relativeTime(space.last_event_at)],
    ['links', space.links.map(clean).join('\n')],
  ])
  return `${about}\n\n${listOfMembers(space.participants, style)}`
}

export function listOfMembers(members: readonly Participant[], style: Style): string {
  if (members.length === 0) return 'Nobody has joined yet. Join with: spaces space join ID'
  return table(
    style,
    ['member', 'name', 'type', 'adapter', 'joined'],
    members.map((member) => [
      member.participant_id,
      member.name,
      member.participant_type,
      member.agent_adapter ?? '-',
      relativeTime(member.joined_at),
    ]),
  )
}
