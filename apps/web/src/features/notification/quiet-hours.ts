import type { Notifications } from '../../shared/query/notification'

/** Returns whether a time is within the quiet hours, as the server decides it. Hours that end when they begin are none. */
export function isQuietNow(
  { quiet_hours, time_zone }: Pick<Notifications, 'quiet_hours' | 'time_zone'>,
  now: Date,
): boolean {
  if (quiet_hours === null) return false
  const { from, until } = quiet_hours
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: time_zone, hour: '2-digit', minute: '2-digit' })
  const time = format.format(now)
  return from <= until ? time >= from && time < until : time >= from || time < until
}
