/** The client asks again by itself. Below this nobody wonders why nothing happens. */
const UNNOTICED_MS = 2_000

/**
 * A `fetch` that tells a person who waits what they are waiting for: a server that does not answer is asked again for
 * about half a minute. A stream tells of its interruptions itself.
 */
export function patientFetch(origin: string, tell: (remark: string) => void) {
  let remark: NodeJS.Timeout | undefined
  const waiting = () => {
    remark ??= setTimeout(() => tell(`No answer from ${origin} yet; asking again…`), UNNOTICED_MS).unref()
  }
  return async (url: string, init: RequestInit): Promise<Response> => {
    if (!url.includes('/trpc/')) return fetch(url, init)
    try {
      const response = await fetch(url, init)
      if (response.status >= 500) waiting()
      else clearTimeout(remark)
      return response
    } catch (error) {
      waiting()
      throw error
    }
  }
}
