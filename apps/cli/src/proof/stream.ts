import { failed } from '../failure.js'
import type { Output } from '../terminal/output.js'

/** Prints an answer as it comes. Once begun, it cannot begin anew when it breaks. */
export function printing(out: Output, signal: AbortSignal): (response: Response) => Promise<void> {
  let isBegun = false
  return async (response) => {
    if (isBegun) throw failed('The connection broke, and what was printed is not whole', 'Run it again')
    await out.verbatim(begun(response), signal)
  }

  async function* begun({ body }: Response): AsyncGenerator<Uint8Array> {
    for await (const bytes of body ?? []) {
      isBegun = true
      yield bytes
    }
  }
}
