import type { RouterOutputs } from '@collab-spaces/client'
import type { Style } from '../terminal/style.js'
import type { Text } from '../terminal/styled.js'
import { fields } from '../terminal/table.js'

type Notifications = RouterOutputs['notification']['get']
export type Channel = Notifications['channels'][number]

export const NOTICE_LEVELS = ['mentions', 'all', 'none'] as const

const LEVELS: Readonly<Record<Notifications['notices'], string>> = {
  mentions: 'mentions, answers, conversations and decisions',
  all: 'mentions, answers, conversations, decisions and threads that you take part in',
  none: 'only what is in no space',
}

export const notificationsView = (settings: Notifications, style: Style): Text =>
  fields(style, [
    ['e-mail', emailIn(settings)],
    ['browsers', browsersIn(settings)],
    ['what', LEVELS[settings.notices]],
    ['when', `e-mail ${afterMinutes(settings.delay_minutes)}, browsers ${afterMinutes(settings.push_delay_minutes)}`],
    ['quiet hours', quietIn(settings)],
    ['presence', settings.shows_presence ? 'shown in your spaces while you use the page' : 'not shown'],
  ])

/** By which its owner knows it. */
export const channelName = ({ name, address }: Channel): string => name ?? address

function emailIn({ channels, sends_email }: Notifications): string {
  const channel = channels.find(({ kind }) => kind === 'email')
  if (!sends_email) return `${channel ? `${channel.address}; but ` : 'none; '}this server sends no e-mail`
  if (!channel) return 'none'
  return channel.verified ? channel.address : `${channel.address}; follow the link that was sent there`
}

function browsersIn({ channels, push_key }: Notifications): string {
  if (push_key === null) return 'none; this server has no key to reach them'
  const browsers = channels.filter(({ kind }) => kind === 'push')
  return browsers.length === 0 ? 'none' : browsers.map(channelName).join(', ')
}

const afterMinutes = (minutes: number) => (minutes === 0 ? 'at once' : `after ${minutes} min unseen`)

const quietIn = ({ quiet_hours, time_zone }: Notifications) =>
  quiet_hours ? `${quiet_hours.from} to ${quiet_hours.until}, ${time_zone}` : 'none'
