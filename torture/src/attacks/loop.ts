/** Does something again and again, so many at a time; what it returns ends that, and waits until it is over. */
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
