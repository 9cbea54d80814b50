/** What has to be ended when the bench is over, however it ends: servers, PostgreSQL, folders. */

const pending = new Set<() => Promise<void>>()
let cleaning: Promise<void> | undefined

/** Makes sure that `end` is called once: through what is returned, or by `cleanUp`. */
export function onCleanup(end: () => Promise<unknown>): () => Promise<void> {
  const endOnce = async () => {
    if (pending.delete(endOnce)) await end()
  }
  pending.add(endOnce)
  return endOnce
}

/** Ends what is left, the newest first. A second call, such as for a second Ctrl-C, waits for the first. */
export function cleanUp(): Promise<void> {
  cleaning ??= endAll()
  return cleaning
}

async function endAll(): Promise<void> {
  for (const end of [...pending].reverse()) await end()
}
