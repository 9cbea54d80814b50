import type { ReactNode } from 'react'

/** One line of a `<dl>`. */
export const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
