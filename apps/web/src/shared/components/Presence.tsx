import { texts } from '../texts'
import { VisuallyHidden } from './Text'

/** Says next to names who is here now, for readers who do not see the dots. */
export function Presence({ of }: { readonly of: readonly { readonly name: string; readonly is_present: boolean }[] }) {
  const here = of.filter(({ is_present }) => is_present)
  if (here.length === 0) return null
  return (
    <VisuallyHidden>
      {of.length === 1 ? texts.people.here : texts.people.areHere(here.map(({ name }) => name))}
    </VisuallyHidden>
  )
}
