/** What has to be ended when the bench is over, however it ends: servers, PostgreSQL, folders. */

/** @type {Set<() => Promise<unknown>>} */
const left = new Set()

/**
 * Makes sure that something is ended, once: by whoever calls what is returned, or at the end of all.
 * @param {() => Promise<unknown>} end
 */
export function afterwards(end) {
  const endOnce = async () => {
    if (left.delete(endOnce)) await end()
  }
  left.add(endOnce)
  return endOnce
}

/** The last that was begun is ended first. */
export async function endAll() {
  for (const end of [...left].reverse()) await end()
}
