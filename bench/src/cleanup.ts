/** What has to be ended when the bench is over, however it ends: servers, PostgreSQL, folders. */

const pending = new Set<() => Promise<void>>()

/** Makes sure that `end` is called once: through what is returned, or by `cleanUp`. */
export function onCleanup(end: () => Promise<unknown>): () => Promise<void> {
  const endOnce = async () => {
    if (pending.delete(endOnce)) await end()
  }
  pending.add(endOnce)
  return endOnce
}

/** Ends what is left, the newest first. */
export async function cleanUp(): Promise<void> {
  for (const end of [...pending].reverse()) await end()
}
