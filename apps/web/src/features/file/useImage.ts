import { useState } from 'react'
import { explainShort } from '../../shared/explain'
import { contentPath, TICKET_MS, useFileTicket } from '../../shared/query/file'
import { fileTexts } from './texts'

/** Returns the address of an image, with a ticket that is renewed if the image loads later than the ticket lasts. */
export function useImage(spaceId: string, fileId: string) {
  const { data: ticket, dataUpdatedAt, error, refetch } = useFileTicket(spaceId, fileId)
  const [loaded, setLoaded] = useState<string | null>(null)
  const [isBroken, setIsBroken] = useState(false)
  // Another ticket does not load an image again that is there.
  const shown = loaded ?? ticket ?? null
  return {
    src: shown === null ? null : contentPath(spaceId, fileId, shown),
    /** Why it is not shown, such as by a server that gives no tickets. */
    problem: isBroken ? fileTexts.noImage : error !== null && loaded === null ? explainShort(error) : null,
    onLoad: () => setLoaded(shown),
    onError: () => {
      if (Date.now() - dataUpdatedAt < TICKET_MS) setIsBroken(true)
      else void refetch()
    },
  }
}
