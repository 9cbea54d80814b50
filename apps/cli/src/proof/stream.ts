import { once } from 'node:events'
import { failed } from '../failure.js'

/** Prints an answer as it comes, no faster than it is read. Once begun, it cannot begin anew when it breaks. */
export function printing(signal: AbortSignal): (response: Response) => Promise<void> {
  let isBegun = false
  return async (response) => {
    if (isBegun) throw failed('The connection broke, and what was printed is not whole', 'Run it again')
    for await (const bytes of response.body ?? []) {
      isBegun = true
      if (!process.stdout.write(bytes)) await once(process.stdout, 'drain', { signal })
    }
  }
}
