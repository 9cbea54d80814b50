// Frames while something is scrolled, and what the long ones were made of.
import { dissect, ownOf } from './dissect.mjs'
import { traced } from './trace.mjs'

/** A frame that takes longer is seen as a jerk. */
export const LONG_MS = 100
/** What is shorter needs no explanation. */
const NOTABLE_MS = 50

/**
 * Scrolls an element in each frame, by so many pixels or to its top with null, and turns round at its ends. Ends after so
 * long, or when the element shows a text.
 */
export async function framesOf(page, { selector, pixels, most, until = null }) {
  const scroll = () => page.evaluate(scrollInFrames, { selector, pixels, most, until })
  const { result: times, events, mainThread } = await traced(page, scroll)
  const all = times.slice(1).map((end, index) => ({ begin: times[index], end }))
  const notable = all.filter((frame) => took(frame) > NOTABLE_MS)
  const parts = dissect(events, notable, mainThread)
  const long = notable.flatMap((frame, index) =>
    took(frame) > LONG_MS ? [{ took: took(frame), ...parts[index] }] : [],
  )
  const tasks = events.filter(({ thread, name }) => thread === mainThread && name.endsWith('RunTask'))
  return {
    long,
    figures: {
      ...distribution(all.map(took)),
      [`> ${LONG_MS}`]: long.length,
      'of its own': long.filter((parts) => ownOf(parts) > LONG_MS).length,
      'most of its own': Math.round(Math.max(0, ...parts.map(ownOf))),
      'longest task': Math.round(tasks.reduce((longest, { cpu }) => Math.max(longest, cpu), 0)),
    },
  }
}

const took = ({ begin, end }) => end - begin

/** Runs in the page: the times at which frames began. */
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

function distribution(frames) {
  const sorted = frames.toSorted((a, b) => a - b)
  const at = (share) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] * 10) / 10
  return { frames: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), most: at(1) }
}
