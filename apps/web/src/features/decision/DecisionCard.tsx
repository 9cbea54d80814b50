import type { Decision } from '@collab-spaces/client'
import { Link } from 'wouter'
import { Badge } from '../../shared/components/Badge'
import { classes } from '../../shared/components/classes'
import { Poster, PosterAvatar } from '../../shared/components/Poster'
import { SpaceName } from '../../shared/components/SpaceName'
import { Time } from '../../shared/components/Time'
import { WorkClaimLine } from '../../shared/components/WorkClaimLine'
import { plainText } from '../../shared/markdown/plain'
import { decisionPath } from '../../shared/navigation/paths'
import type { Names } from '../../shared/query/names'
import { useDiscussionCount } from '../../shared/query/thread'
import { useWorkClaim } from '../../shared/query/work-claim'
import { useSession } from '../../shared/session/session'
import { texts } from '../../shared/texts'
import { lastAuthor } from './act-author'
import { isReviewDue } from './board'
import styles from './DecisionCard.module.css'
import { decisionTexts } from './texts'

interface DecisionCardProps {
  readonly decision: Decision
  readonly names: Names
  readonly isSelected: boolean
  /** Whether it names its space, in a list of several. */
  readonly hasSpace?: boolean
}

export function DecisionCard({ decision, names, isSelected, hasSpace = false }: DecisionCardProps) {
  const { space_id, decision_id, created_at, resolved_at, resolution, text } = decision
  const by = lastAuthor(decision, names)
  const words = decisionTexts
  const claim = useWorkClaim(space_id, { decisionId: decision_id })
  return (
    <Link
      href={decisionPath(space_id, decision_id)}
      className={classes(styles.card, decision.superseded_by !== null && styles.superseded)}
      aria-current={isSelected ? 'true' : undefined}
    >
      <bdi className={styles.text}>{plainText(text)}</bdi>
      {resolution !== null && <bdi className={styles.resolution}>{plainText(resolution)}</bdi>}
      <WorkClaimLine claim={claim} />
      <Badges decision={decision} />
      <span className={styles.by}>
        <PosterAvatar of={by} size="small" />
        <span className={styles.words}>
          <span>
            {words.settledBy[decision.status]} <Poster of={by} />
            {hasSpace && (
              <>
                {' · '}
                <SpaceName spaceId={space_id} />
              </>
            )}
          </span>
          <Time at={resolved_at ?? created_at} />
        </span>
      </span>
    </Link>
  )
}

function DiscussionBadge({ decision: { space_id, decision_id } }: Pick<DecisionCardProps, 'decision'>) {
  const { data: count = 0 } = useDiscussionCount(space_id, decision_id)
  return count > 0 && <Badge>{texts.counts.events(count)}</Badge>
}

function Badges({ decision }: Pick<DecisionCardProps, 'decision'>) {
  const { account } = useSession()
  const { approvals, assignees, status, superseded_by, supersedes } = decision
  const words = decisionTexts
  const badges = [
    status === 'proposed' && assignees.includes(account.actorId) && (
      <Badge key="mine" tone="accent">
        {texts.waitingForYou}
      </Badge>
    ),
    status === 'proposed' && approvals.required > 0 && (
      <Badge key="approvals" tone={approvals.given >= approvals.required ? 'good' : 'warn'}>
        {words.approvals(approvals.given, approvals.required)}
      </Badge>
    ),
    decision.thread_id !== null && <DiscussionBadge key="thread" decision={decision} />,
    superseded_by !== null && <Badge key="superseded">{words.superseded}</Badge>,
    decision.is_expired && (
      <Badge key="expired" tone="warn">
        {words.expired}
      </Badge>
    ),
    decision.used_at && <Badge key="used">{words.used}</Badge>,
    supersedes !== null && <Badge key="supersedes">{words.supersedesOne}</Badge>,
    isReviewDue(decision, Date.now()) && (
      <Badge key="due" tone="warn">
        {words.reviewDue}
      </Badge>
    ),
  ].filter(Boolean)
  return badges.length > 0 && <span className={styles.badges}>{badges}</span>
}
