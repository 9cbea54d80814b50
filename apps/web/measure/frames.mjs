// Measures frames during scrolling.

/** A longer frame is visible as jank. */
export const LONG_MS = 100

/**
 * Scrolls an element in each frame, by a number of pixels or to its top if null, and reverses at its ends. Stops after
 * a time, or when the element shows a text.
 */
export async function framesOf(page, { selector, pixels, most, until = null }) {
  const times = await page.evaluate(scrollInFrames, { selector, pixels, most, until })
  const frames = times.slice(1).map((end, index) => end - times[index])
  const sorted = frames.toSorted((a, b) => a - b)
  const at = (share) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] * 10) / 10
  return {
    frames: sorted.length,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    most: at(1),
    long: sorted.filter((took) => took > LONG_MS).length,
  }
}

/** Runs in the page. Returns the start times of frames. */
function scrollInFrames({ selector, pixels, most, until }) {
  return new Promise((resolve) => {
    const element = document.querySelector(selector)
    const times = []
    let by = pixels
    const next = (now) => {
      times.push(now)
      const before = element.scrollTop
      if (by === null) element.scrollTo(0, 0)
      else element.scrollBy(0, by)
      if (by !== null && element.scrollTop === before) by = -by
      const isThere = until !== null && element.querySelector('article')?.textContent.includes(until)
      if (isThere || now - times[0] > most) resolve(times)
      else requestAnimationFrame(next)
    }
    requestAnimationFrame(next)
  })
}
