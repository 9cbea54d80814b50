import { useCallback, useState } from 'react'
import type { Destination, History } from './history'
import type { TranscriptRow } from './rows'

/** Which transcripts are open, by the ids of their lines: those that the reader has opened, or of which a link leads to a line. */
export function useOpenTranscripts(history: History, { serial, eventId, top }: Destination) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const [lastSerial, setLastSerial] = useState(0)
  if (serial !== lastSerial) {
    setLastSerial(serial)
    // A reader who comes back was not led to an event.
    if (eventId !== null && top === null) setOpened(new Set([...opened, eventId]))
  }
  const toggle = useCallback(
    ({ events, isOpen }: TranscriptRow) => {
      // An opened transcript is read from its beginning: the end is not to be kept in sight.
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
