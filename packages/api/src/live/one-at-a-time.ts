/**
 * Work that looks at what there is, never twice at a time: whoever asks for it while it is under way gets another one right
 * after, as that one may have looked too early. Resolves when there is no more of it. It handles its own errors.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | null = null
  let isAskedAgain = false

  async function untilDone(): Promise<void> {
    do {
      isAskedAgain = false
      await work()
    } while (isAskedAgain)
    underWay = null
  }

  return () => {
    if (underWay) isAskedAgain = true
    else underWay = untilDone()
    return underWay
  }
}
