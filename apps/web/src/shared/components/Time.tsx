import { useEffect, useState } from 'react'
import {
  clockTime,
  dateOf,
  dayTitle,
  fullTime,
  momentIn,
  printedDay,
  printedTime,
  relativeTime,
  shortClockTime,
} from '../time'

interface TimeProps {
  /** ISO 8601. */
  readonly at: string
  /**
   * `clock`: 14:05. `shortClock`: 2:05 without AM or PM. `relative`: 5 minutes ago. `date`: the day. `moment`: the
   * time, with the day unless it is today. `full`: date and time.
   */
  readonly form?: Form | undefined
}

type Form = 'clock' | 'shortClock' | 'relative' | 'date' | 'moment' | 'full'

const WORDS: Readonly<Record<Exclude<Form, 'relative'>, (at: string) => string>> = {
  clock: clockTime,
  shortClock: shortClockTime,
  date: dateOf,
  moment: (at) => momentIn(at, Date.now()),
  full: fullTime,
}

/** A time in the reader's language, text direction and time zone, with date and time as tooltip. */
export function Time({ at, form = 'relative' }: TimeProps) {
  return form === 'relative' ? (
    <RelativeTime at={at} />
  ) : (
    <Moment at={at} words={WORDS[form](at)} isPassing={form === 'moment'} />
  )
}

function RelativeTime({ at }: { readonly at: string }) {
  return <Moment at={at} words={relativeTime(at, useMinute())} isPassing />
}

/** The day as a heading. “Today” becomes “yesterday” at midnight. */
export function DayTitle({ at }: { readonly at: string }) {
  return (
    <h2 data-printed={printedDay(at)}>
      <span data-unprinted>{dayTitle(at, useMinute())}</span>
    </h2>
  )
}

interface MomentProps {
  readonly at: string
  readonly words: string
  /** Whether the words depend on the current time. */
  readonly isPassing: boolean
}

const Moment = ({ at, words, isPassing }: MomentProps) => (
  <time dateTime={at} dir="auto" title={fullTime(at)} data-printed={isPassing ? printedTime(at) : undefined}>
    {isPassing ? <span data-unprinted>{words}</span> : words}
  </time>
)

const TICK_INTERVAL_MS = 30_000

/** Returns the current time, which advances by itself. */
export function useMinute(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
