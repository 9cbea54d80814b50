import type { ReactNode } from 'react'

/** Leads away from the page, and tells nobody there where it was. */
export function OutsideLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}
