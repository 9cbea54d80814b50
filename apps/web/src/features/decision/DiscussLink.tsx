import { Link } from 'wouter'
import { discussionPath } from '../../shared/navigation/paths'
import { useDiscussionCount } from '../../shared/query/thread'
import { decisionTexts } from './texts'

interface DiscussLinkProps {
  readonly spaceId: string
  readonly decisionId: string
}

/** Opens the discussion of a decision, with the number of its messages. */
export function DiscussLink({ spaceId, decisionId }: DiscussLinkProps) {
  const { data: count = 0 } = useDiscussionCount(spaceId, decisionId)
  return (
    <Link href={discussionPath(spaceId, decisionId)} data-reach data-unprinted>
      {decisionTexts.discuss(count)}
    </Link>
  )
}
