/** Repeats an action with a given concurrency. Returns a function that ends it and waits for pending actions. */
export function loop(times: number, act: (n: number) => Promise<unknown>): () => Promise<void> {
  let isOver = false
  let n = 0
  const loops = Array.from({ length: times }, async () => {
    while (!isOver) await act(n++).catch(() => {})
  })
  return async () => {
    isOver = true
    await Promise.all(loops)
  }
}
