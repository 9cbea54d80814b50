import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { holdWhileVisible, isHeld } from '../../shared/browser/visible'
import { type Inbox, useInbox, useSnoozeEnd } from '../../shared/query/inbox'
import { readNotifications } from '../../shared/query/notification'
import { useMySpaces } from '../../shared/query/space'
import { accounts, useSession } from '../../shared/session/session'
import { isQuietNow } from './quiet-hours'

const load = () => Promise.all([import('../../shared/browser/push'), import('./news')])

/**
 * Shows a notification of what arrives for the account while no tab of this browser is visible. The tab that owns the
 * stream shows it for all. A browser without a push service has only these.
 */
export function useTabNotifications(): void {
  const { account, client, live } = useSession()
  const { actorId } = account
  const cache = useQueryClient()
  const { data: inbox } = useInbox()
  const { data: spaces } = useMySpaces()
  const [, navigate] = useLocation()
  useSnoozeEnd()
  const known = useRef<Inbox | null>(null)
  const lock = `visible ${actorId}`
  useEffect(() => holdWhileVisible(lock), [lock])

  useEffect(() => {
    let stop: (() => void) | undefined
    let isOver = false
    void load().then(([{ onOpened }]) => {
      if (isOver) return
      stop = onOpened(({ path, actorId: recipient }) => {
        if (recipient !== actorId && accounts.find(recipient)) accounts.activate(recipient)
        navigate(path)
      })
    })
    return () => {
      isOver = true
      stop?.()
    }
  }, [navigate, actorId])

  useEffect(() => {
    if (!inbox || !spaces) return
    const before = known.current
    known.current = inbox
    // What was there when the tab opened is no news.
    if (before === null || !live.ownsStream) return
    const tell = async () => {
      const [{ notifiesHere, showHere }, { newsIn }] = await load()
      const news = newsIn(inbox, before, spaces)
      if (news.length === 0 || !notifiesHere(actorId) || (await isHeld(lock))) return
      if (isQuietNow(await readNotifications(cache, client), new Date())) return
      for (const { title, body, path, key } of news) {
        await showHere(title, { body, tag: `${actorId} ${path}`, renotify: true, data: { path, key, actorId } })
      }
    }
    // Without an answer, the push service tells.
    void tell().catch(() => {})
  }, [inbox, spaces, live, cache, client, actorId, lock])
}
