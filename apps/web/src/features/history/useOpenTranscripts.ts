import { useCallback, useState } from 'react'
import type { Destination, History } from './history'
import type { TranscriptRow } from './rows'

/** Returns the IDs of events whose transcripts are open: opened by the reader, or by a link to one of their lines. */
export function useOpenTranscripts(history: History, { serial, eventId, top }: Destination) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const [lastSerial, setLastSerial] = useState(0)
  if (serial !== lastSerial) {
    setLastSerial(serial)
    // A restored scroll position is not a link to the event.
    if (eventId !== null && top === null) setOpened(new Set([...opened, eventId]))
  }
  const toggle = useCallback(
    ({ events, isOpen }: TranscriptRow) => {
      // An opened transcript is read from its start: do not stick to the end.
      history.isAtEnd = false
      setOpened((before) => {
        const after = new Set(before)
        for (const { event_id } of events) {
          if (isOpen) after.delete(event_id)
          else after.add(event_id)
        }
        return after
      })
    },
    [history],
  )
  return { opened, toggle }
}
