// Frames while something is scrolled, and how long the page itself worked for one.

/** A frame that takes longer is seen as a jerk. */
export const LONG_MS = 100

/**
 * Scrolls an element in each frame, by so many pixels or to its top with null, and turns round at its ends. Ends after so
 * long, or when the element shows a text.
 */
export async function framesOf(page, { selector, pixels, most, until = null }) {
  const { times, work } = await page.evaluate(scrollInFrames, { selector, pixels, most, until })
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
    'longest work': Math.round(Math.max(0, ...work)),
  }
}

/**
 * Runs in the page: the times at which frames began, and how long its own thread worked for each that Chromium calls a
 * long animation frame, which leaves out what other threads draw.
 */
function scrollInFrames({ selector, pixels, most, until }) {
  return new Promise((resolve) => {
    const element = document.querySelector(selector)
    const times = []
    const work = []
    const observer = new PerformanceObserver((list) => {
      // The frame before the first one is that of the page as it came.
      for (const { startTime, duration } of list.getEntries()) if (startTime >= times[0]) work.push(duration)
    })
    observer.observe({ type: 'long-animation-frame' })
    let by = pixels
    const next = (now) => {
      times.push(now)
      const before = element.scrollTop
      if (by === null) element.scrollTo(0, 0)
      else element.scrollBy(0, by)
      if (by !== null && element.scrollTop === before) by = -by
      const isThere = until !== null && element.querySelector('article')?.textContent.includes(until)
      if (isThere || now - times[0] > most) resolve({ times, work })
      else requestAnimationFrame(next)
    }
    requestAnimationFrame(next)
  })
}
