import { type ComponentType, lazy } from 'react'

/** What nobody has asked for yet. */
const waiting: (() => Promise<unknown>)[] = []

/** A component that is not part of the first view: it is loaded soon after that, or when it is first opened. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  waiting.push(load)
  return lazy(async () => ({ default: await load() }))
}

/**
 * Loads all of these, one after another, while there is nothing else to do. Then a server that is away for a while, or has
 * been replaced by a newer one, keeps nobody from going to another page.
 */
export async function loadAhead(): Promise<void> {
  for (let load = waiting.shift(); load; load = waiting.shift()) {
    await idle()
    // Whoever opens it is told.
    await load().catch(() => undefined)
  }
}

/** Safari knows no such callback. */
const idle = () =>
  new Promise<void>((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 5_000 })
    else setTimeout(resolve, 200)
  })
