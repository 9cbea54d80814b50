import { LIMITS, type RouterOutputs, type Space, type SpaceDetails } from '@collab-spaces/client'
import type { Style } from '../terminal/style.js'
import { joined, lines, type Text } from '../terminal/styled.js'
import { fields, table } from '../terminal/table.js'
import { relativeTime } from '../terminal/time.js'
import { listOfParticipants, nameOf, namesOf } from './participant.js'

export const SPACE_STATUSES = ['active', 'paused', 'archived'] as const

/** The notification level of a space. */
export const NOTICE_LEVELS = ['all', 'mentions', 'none'] as const

const COLOURS = { active: 'green', paused: 'yellow', archived: 'gray' } as const

const statusIn = (style: Style, status: Space['status']) => style[COLOURS[status]](status)

/** Which spaces are listed. */
interface Filter {
  readonly status?: Space['status'] | undefined
  readonly mine?: true | undefined
}

export function listOfSpaces(spaces: readonly Space[], { status, mine }: Filter, style: Style): Text {
  if (spaces.length === 0) return noSpaces(status, mine)
  return table(style, spaces, {
    space: ({ space_id }) => space_id,
    title: ({ title, partners }) => title ?? partners.map(({ name }) => name).join(', '),
    status: ({ status }) => statusIn(style, status),
    participants: ({ participant_count }) => String(participant_count),
    events: ({ event_count }) => String(event_count),
    unread: unreadOf,
    'last event': ({ last_event_at }) => relativeTime(last_event_at),
    description: ({ description }) => description,
  })
}

/** The server counts so far and no further. */
function unreadOf({ unread_count }: Pick<Space, 'unread_count'>): string {
  return unread_count < LIMITS.unread ? String(unread_count) : `${LIMITS.unread}+`
}

export const seenTo = (seen: RouterOutputs['seen']['mark'], style: Style): Text =>
  fields(style, [
    ['space', style.bold(seen.space_id)],
    ['seen up to', seen.seen_event_id ?? 'nothing'],
    ['unread', unreadOf(seen)],
  ])

type Preferences = RouterOutputs['preference']['change']

/** The caller's own preferences for a space. */
export const preferencesOf = (spaceId: string, { pinned, notices }: Preferences, style: Style): Text =>
  fields(style, [
    ['space', style.bold(spaceId)],
    ['pinned', pinned ? 'yes' : 'no'],
    ['notices', notices],
  ])

function noSpaces(status?: string, mine?: true): string {
  const none = `No ${status ? `${status} ` : ''}spaces`
  if (mine) return `${none} that you have joined. List all: spaces space list`
  return status ? `${none}. List all: spaces space list` : `${none}. Create one: spaces space create ID`
}

/** By name those who have joined, and by ID all others. */
function ownersOf({ owners, participants }: SpaceDetails): string {
  const names = namesOf(participants)
  return owners.length === 0 ? 'none' : owners.map((owner) => nameOf(names, owner)).join(', ')
}

export function oneSpace(space: SpaceDetails, style: Style): Text {
  const about = fields(style, [
    ['space', style.bold(space.space_id)],
    ['title', space.title],
    ['status', statusIn(style, space.status)],
    ['visibility', space.visibility === 'private' ? 'private' : ''],
    ['description', space.description],
    ['owners', ownersOf(space)],
    ['started', relativeTime(space.started_at)],
    ['ended', space.ended_at && relativeTime(space.ended_at)],
    ['events', String(space.event_count)],
    ['unread', space.unread_count > 0 ? unreadOf(space) : ''],
    ['pinned', space.preferences.pinned ? 'yes' : ''],
    ['notices', space.preferences.notices === 'mentions' ? '' : space.preferences.notices],
    ['last event', relativeTime(space.last_event_at)],
    ['links', lines(space.links)],
  ])
  // No advice to join, as an archived space cannot be joined.
  if (space.status === 'archived' && space.participants.length === 0) return about
  return joined([about, listOfParticipants(space.space_id, space.participants, style)], '\n\n')
}
