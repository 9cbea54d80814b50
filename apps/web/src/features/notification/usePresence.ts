import { useEffect } from 'react'
import { randomKey } from '../../shared/browser/random-key'
import { hasReader, pauseWhileHidden } from '../../shared/browser/visible'
import { useHasScope } from '../../shared/query/permission'
import { useSession } from '../../shared/session/session'

/** The server forgets a view after 110 s. */
const REPORT_INTERVAL_MS = 75_000
/** After this time without input, a visible tab has no reader. */
const IDLE_MS = 10 * 60_000
const INPUTS = ['pointermove', 'pointerdown', 'keydown', 'wheel'] as const

/**
 * Reports to the server that a tab is visible and in use: others see that the person is here, and its browsers get no push
 * meanwhile. Of several visible tabs of a browser, one reports.
 */
export function usePresence(): void {
  const { account, client } = useSession()
  const { actorId, kind, token } = account
  const canRead = useHasScope('read')
  const isOn = kind === 'human' && canRead
  useEffect(() => {
    if (!isOn) return
    const view = randomKey()
    let idle: ReturnType<typeof setTimeout> | undefined
    let isReporting = false
    let stopReporting: (() => void) | null = null
    const report = (visible: boolean) =>
      void client.notification.reportPresence.mutate({ view, visible }).catch(() => {})
    const pause = () => {
      clearTimeout(idle)
      hasReader.set(false)
      stopReporting?.()
      stopReporting = null
    }
    const begin = () => {
      isReporting = true
      report(true)
      const timer = setInterval(() => report(true), REPORT_INTERVAL_MS)
      return () => {
        isReporting = false
        clearInterval(timer)
        report(false)
      }
    }
    const start = () => {
      clearTimeout(idle)
      idle = setTimeout(pause, IDLE_MS)
      hasReader.set(true)
      stopReporting ??= whileFirst(`present ${actorId}`, begin)
    }
    const onInput = () => document.visibilityState === 'visible' && start()
    // The client starts requests too late for an unloading page.
    const leave = () => {
      if (!isReporting) return
      void fetch('/api/actors/me/presence', {
        method: 'PUT',
        keepalive: true,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ view, visible: false }),
      }).catch(() => {})
    }
    const stop = pauseWhileHidden({ wake: start, rest: pause })
    for (const input of INPUTS) window.addEventListener(input, onInput, { passive: true })
    window.addEventListener('pagehide', leave)
    return () => {
      stop()
      pause()
      hasReader.set(true)
      for (const input of INPUTS) window.removeEventListener(input, onInput)
      window.removeEventListener('pagehide', leave)
    }
  }, [isOn, actorId, token, client])
}

/**
 * Calls `begin` as soon as no other tab of this browser holds the lock; `begin` returns a cleanup function. Returns a
 * function that ends it. Without Web Locks, each tab is the first.
 */
function whileFirst(lock: string, begin: () => () => void): () => void {
  const waiting = new AbortController()
  let end = () => {}
  const run = () => {
    const cleanUp = begin()
    return new Promise<void>((resolve) => {
      end = () => {
        cleanUp()
        resolve()
      }
    })
  }
  if (navigator.locks) navigator.locks.request(lock, { signal: waiting.signal }, run).catch(() => {})
  else void run()
  return () => {
    waiting.abort()
    end()
  }
}
