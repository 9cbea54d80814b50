import { type ComponentType, createElement, lazy, useState } from 'react'
import { isServerReachable, nextRetry } from './connectivity'

/** Loaders that have not run yet. */
const pending: (() => Promise<unknown>)[] = []

/** Returns a component that loads soon after the first view, or when it first renders. */
export function lazyPreload<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null
  const loadOnce = async () => {
    loaded = await untilReached(load)
    return { default: loaded }
  }
  const Suspending = lazy(loadOnce)
  pending.push(loadOnce)
  // A loaded component renders immediately. `lazy` would suspend for a moment.
  return function LazyPreload(props: Props) {
    const [Shown] = useState(() => loaded ?? Suspending)
    return createElement(Shown as ComponentType<Props>, props)
  }
}

/** Repeats a load that failed while the server was unreachable, until it answers again. */
async function untilReached<T>(load: () => Promise<T>): Promise<T> {
  for (let isLast = false; ; ) {
    try {
      return await load()
    } catch (error) {
      if (isLast) throw error
      // It may have come back meanwhile. A file that a newer version does not have stays missing.
      isLast = await isServerReachable()
      if (!isLast) await nextRetry()
    }
  }
}

/**
 * Loads all lazy components one after another, when the first view has loaded and the browser is idle. Navigation then
 * works while the server is unreachable, or has been replaced by a newer version.
 */
export async function preloadAll(): Promise<void> {
  await networkQuiet()
  for (let load = pending.shift(); load; load = pending.shift()) {
    await idle()
    // A failure shows when the component renders.
    await load().catch(() => undefined)
  }
}

/** The time without requests after which preloading starts, so that it does not slow down the first view. */
const QUIET_MS = 1_000

/** Resolves when no resource has loaded for a moment. */
const networkQuiet = () =>
  new Promise<void>((resolve) => {
    const done = () => {
      observer.disconnect()
      resolve()
    }
    let timer = setTimeout(done, QUIET_MS)
    const observer = new PerformanceObserver(() => {
      clearTimeout(timer)
      timer = setTimeout(done, QUIET_MS)
    })
    observer.observe({ type: 'resource' })
  })

/** Resolves when the browser is idle. Safari has no `requestIdleCallback`. */
const idle = () =>
  new Promise<void>((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 1_000 })
    else setTimeout(resolve, 200)
  })
