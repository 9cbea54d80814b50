import { useEffect, useState } from 'react'
import { clockTime, dateOf, fullTime, relativeTime } from '../time'

interface TimeProps {
  /** ISO 8601. */
  readonly at: string
  /** `clock`: 14:05. `relative`: 5 minutes ago. `date`: the day. `full`: with its date. */
  readonly form?: Form | undefined
}

type Form = 'clock' | 'relative' | 'date' | 'full'

const WORDS: Readonly<Record<Form, (at: string, now: number) => string>> = {
  clock: clockTime,
  relative: relativeTime,
  date: dateOf,
  full: fullTime,
}

/** A moment in the reader's language and time zone; the whole of it as a hint. */
export function Time({ at, form = 'relative' }: TimeProps) {
  const now = useMinute(form === 'relative')
  return (
    <time dateTime={at} title={fullTime(at)}>
      {WORDS[form](at, now)}
    </time>
  )
}

const EVERY_MS = 30_000

function useMinute(isOn: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isOn) return
    const timer = setInterval(() => setNow(Date.now()), EVERY_MS)
    return () => clearInterval(timer)
  }, [isOn])
  return now
}
