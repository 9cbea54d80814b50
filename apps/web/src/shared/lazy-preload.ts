import { type ComponentType, createElement, lazy, useState } from 'react'

/** Requests that have not been made yet. */
const waiting: (() => Promise<unknown>)[] = []

/** A component that is not part of the first view: it is loaded soon after that, or when it is first opened. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null
  const ask = async () => {
    loaded = await load()
    return { default: loaded }
  }
  const Awaited = lazy(ask)
  waiting.push(ask)
  // A component that is there by then appears at once. React would hold back what it has waited for, if only for a moment.
  return function Later(props: Props) {
    const [Shown] = useState(() => loaded ?? Awaited)
    return createElement(Shown as ComponentType<Props>, props)
  }
}

/**
 * Loads all of these, one after another, once what is in sight has come, and while there is nothing else to do. Then a
 * server that is away for a while, or has been replaced by a newer one, keeps nobody from going to another page.
 */
export async function loadAhead(): Promise<void> {
  await calm()
  for (let load = waiting.shift(); load; load = waiting.shift()) {
    await idle()
    // The opener is told of a failure.
    await load().catch(() => undefined)
  }
}

/** On a slow network, what is in sight would otherwise wait for what is not. */
const CALM_MS = 1_000

/** Until nothing has come for a moment. */
const calm = () =>
  new Promise<void>((resolve) => {
    const done = () => {
      observer.disconnect()
      resolve()
    }
    let timer = setTimeout(done, CALM_MS)
    const observer = new PerformanceObserver(() => {
      clearTimeout(timer)
      timer = setTimeout(done, CALM_MS)
    })
    observer.observe({ type: 'resource' })
  })

/** Safari knows no such callback. */
const idle = () =>
  new Promise<void>((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 1_000 })
    else setTimeout(resolve, 200)
  })
