import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { classes } from '../shared/components/classes'
import styles from './Sidebar.module.css'

interface EntryProps {
  readonly path: string
  readonly isStrong?: boolean
  readonly isFaint?: boolean
  readonly children: ReactNode
}

/** A line of the navigation. */
export function Entry({ path, isStrong, isFaint, children }: EntryProps) {
  const [location] = useLocation()
  const isHere = isAt(path, location)
  const entry = useRef<HTMLAnchorElement>(null)
  // A space opened by a link may be outside the visible part of the list.
  useEffect(() => {
    if (isHere && entry.current) scrollListTo(entry.current)
  }, [isHere])
  return (
    <Link
      ref={entry}
      href={path}
      className={classes(styles.entry, isStrong && styles.strong, isFaint && styles.faint)}
      aria-current={isHere ? 'page' : undefined}
    >
      {children}
    </Link>
  )
}

export const isAt = (path: string, location: string): boolean =>
  path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`)

/** Scrolls only the list. `scrollIntoView` would also scroll the page to a closed navigation beside it. */
function scrollListTo(entry: HTMLElement): void {
  const list = entry.closest('ul')
  if (!list) return
  const { top, bottom } = entry.getBoundingClientRect()
  const frame = list.getBoundingClientRect()
  if (top < frame.top || bottom > frame.bottom) list.scrollTop += top - frame.top - frame.height / 2
}
