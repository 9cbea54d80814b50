import { useEffect } from 'react'
import { randomKey } from '../../shared/browser/random-key'
import { pauseWhileHidden } from '../../shared/browser/visible'
import { useHasScope } from '../../shared/query/permission'
import { useSession } from '../../shared/session/session'

/** The server forgets a view after three minutes. */
const REPORT_INTERVAL_MS = 150_000
/** After this time without input, a visible tab has no reader. */
const IDLE_MS = 10 * 60_000
const INPUTS = ['pointermove', 'pointerdown', 'keydown', 'wheel'] as const

/** Reports to the server that this tab is visible and in use, so that the person's browsers get no push meanwhile. */
export function usePresence(): void {
  const { account, client } = useSession()
  const { actorId, kind, token } = account
  const canRead = useHasScope('read')
  const isOn = kind === 'human' && canRead
  // biome-ignore lint/correctness/useExhaustiveDependencies: a view for each account
  useEffect(() => {
    if (!isOn) return
    const view = randomKey()
    let timer: ReturnType<typeof setInterval> | undefined
    let lastInput = Date.now()
    const report = (visible: boolean) =>
      void client.notification.reportPresence.mutate({ view, visible }).catch(() => {})
    const isIdle = () => Date.now() - lastInput > IDLE_MS
    const start = () => {
      clearInterval(timer)
      report(true)
      timer = setInterval(() => !isIdle() && report(true), REPORT_INTERVAL_MS)
    }
    const onInput = () => {
      const wasIdle = isIdle()
      lastInput = Date.now()
      if (wasIdle && document.visibilityState === 'visible') start()
    }
    const rest = () => {
      clearInterval(timer)
      report(false)
    }
    // The client starts requests too late for an unloading page.
    const leave = () =>
      void fetch('/api/actors/me/presence', {
        method: 'PUT',
        keepalive: true,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ view, visible: false }),
      }).catch(() => {})
    const stop = pauseWhileHidden({ wake: start, rest })
    for (const input of INPUTS) window.addEventListener(input, onInput, { passive: true })
    window.addEventListener('pagehide', leave)
    return () => {
      stop()
      rest()
      for (const input of INPUTS) window.removeEventListener(input, onInput)
      window.removeEventListener('pagehide', leave)
    }
  }, [isOn, actorId, token, client])
}
