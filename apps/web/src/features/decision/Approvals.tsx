import type { Decision } from '@collab-spaces/client'
import { list } from '../../languages/format'
import type { Names } from '../../shared/query/names'
import { decisionTexts } from './texts'

interface ApprovalsProps {
  readonly approvals: Decision['approvals']
  readonly names: Pick<Names, 'nameOf'>
}

/** The approvals of a decision: given and required, and why some do not count. */
export function Approvals({ approvals: { given, required, by, not_counted }, names }: ApprovalsProps) {
  const words = decisionTexts
  const counted = by.filter((id) => !not_counted.some(({ actor_id }) => actor_id === id)).map(names.nameOf)
  const uncounted = not_counted.map(
    ({ actor_id, reason }) => `${names.nameOf(actor_id)} (${words.notCountedBecause[reason]})`,
  )
  return (
    <>
      {words.approvals(given, required)}
      {counted.length > 0 && `: ${list(counted)}`}
      {uncounted.length > 0 && `. ${words.notCounted} ${list(uncounted)}`}
    </>
  )
}
