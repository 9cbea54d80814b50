import type { Decision } from '@collab-spaces/client'
import { useState } from 'react'
import { Link } from 'wouter'
import { list } from '../../languages/format'
import { Badge } from '../../shared/components/Badge'
import { Button, IconButton } from '../../shared/components/Button'
import { EmptyState } from '../../shared/components/EmptyState'
import { Fact, Facts } from '../../shared/components/Fact'
import { Loaded } from '../../shared/components/Loaded'
import { Panel } from '../../shared/components/Panel'
import { Time } from '../../shared/components/Time'
import { Markdown } from '../../shared/markdown/Markdown'
import { plainText } from '../../shared/markdown/plain'
import { decisionPath } from '../../shared/navigation/paths'
import { useDecisionActs, useSignedReceipt } from '../../shared/query/decision'
import type { Names } from '../../shared/query/names'
import { useSpaceName } from '../../shared/query/space-name'
import { Acts } from './Acts'
import { Approvals } from './Approvals'
import { Authorization } from './Authorization'
import { DECISION_TONES } from './Board'
import { DecisionActions } from './DecisionActions'
import styles from './DecisionPanel.module.css'
import { DiscussLink } from './DiscussLink'
import { ProposeDialog } from './ProposeDialog'
import { download, receiptOf } from './receipt'
import { decisionTexts, proposeTexts } from './texts'

interface DecisionPanelProps {
  /** Undefined if the space has no such decision. */
  readonly decision: Decision | undefined
  /** All decisions of the space, to find its predecessor and successor. */
  readonly decisions: readonly Decision[]
  readonly names: Names
  readonly canPropose: boolean
  readonly onClose: () => void
}

/** One decision: its text, status, facts and acts. */
export function DecisionPanel({ decision, onClose, ...rest }: DecisionPanelProps) {
  const words = decisionTexts
  if (decision) return <KnownDecision decision={decision} onClose={onClose} {...rest} />
  return (
    <Panel title={words.title} onClose={onClose}>
      <EmptyState icon="decision" title={words.unknownTitle}>
        {words.unknownText}
      </EmptyState>
    </Panel>
  )
}

function KnownDecision(props: DecisionPanelProps & { readonly decision: Decision }) {
  const { decision, decisions, names, canPropose, onClose } = props
  const query = useDecisionActs(decision)
  const { data: acts } = query
  const [isReplacing, setIsReplacing] = useState(false)
  const words = decisionTexts
  const spaceName = useSpaceName(decision.space_id)
  const signedReceipt = useSignedReceipt(decision)
  const saveReceipt = async () => {
    const signed = await signedReceipt()
    const unsigned = () => JSON.stringify(receiptOf(decision, acts ?? [], window.location.origin, new Date()), null, 2)
    // A signed receipt stays unindented: its signature covers these bytes.
    download(`decision-${decision.decision_id}.json`, signed ? JSON.stringify(signed) : unsigned())
  }
  return (
    <Panel
      title={words.title}
      subtitle={spaceName}
      actions={<IconButton icon="download" label={words.receipt} disabled={!acts} onClick={saveReceipt} />}
      onClose={onClose}
      footer={decision.status === 'proposed' && <DecisionActions decision={decision} />}
    >
      <div className={styles.decision}>
        <div className={styles.badges}>
          <Badge tone={DECISION_TONES[decision.status]}>{words.statuses[decision.status]}</Badge>
          {decision.superseded_by !== null && <Badge>{words.superseded}</Badge>}
          {decision.is_expired && <Badge tone="warn">{words.expired}</Badge>}
        </div>
        <div className={styles.text}>
          <Markdown text={decision.text} />
        </div>
        <Authorization decision={decision} names={names} />
        {decision.resolution !== null && (
          <section className={styles.resolution}>
            <h3>{words.reason}</h3>
            <Markdown text={decision.resolution} />
          </section>
        )}
        <DecisionFacts {...{ decision, decisions, names }} />
        <DiscussLink spaceId={decision.space_id} decisionId={decision.decision_id} />
        {decision.status === 'resolved' && decision.superseded_by === null && canPropose && (
          <Button size="small" icon="refresh" onClick={() => setIsReplacing(true)}>
            {words.replace}
          </Button>
        )}
        <section className={styles.acts}>
          <h3>{words.acts}</h3>
          <Loaded query={query} rows={2}>
            {(acts) => <Acts acts={acts} names={names} />}
          </Loaded>
        </section>
      </div>
      {isReplacing && (
        <ProposeDialog
          spaceId={decision.space_id}
          names={names}
          supersedes={decision}
          onClose={() => setIsReplacing(false)}
        />
      )}
    </Panel>
  )
}

interface DecisionFactsProps extends Pick<DecisionPanelProps, 'decisions' | 'names'> {
  readonly decision: Decision
}

function DecisionFacts({ decision, decisions, names }: DecisionFactsProps) {
  const { space_id, approvals, assignees, supersedes, superseded_by, review_at } = decision
  const words = decisionTexts
  const linkTo = (id: string) => (
    <Link href={decisionPath(space_id, id)}>
      <bdi>{plainText(decisions.find(({ decision_id }) => decision_id === id)?.text ?? id)}</bdi>
    </Link>
  )
  return (
    <Facts>
      {assignees.length > 0 && <Fact name={words.assignees}>{namesOf(assignees, names)}</Fact>}
      {(approvals.required > 0 || approvals.by.length > 0) && (
        <Fact name={words.approvalsTitle}>
          <Approvals approvals={approvals} names={names} />
        </Fact>
      )}
      {supersedes !== null && <Fact name={words.supersedes}>{linkTo(supersedes)}</Fact>}
      {superseded_by !== null && <Fact name={words.supersededBy}>{linkTo(superseded_by)}</Fact>}
      {review_at !== null && (
        <Fact name={proposeTexts.reviewOn}>
          <Time at={review_at} form="full" />
        </Fact>
      )}
    </Facts>
  )
}

const namesOf = (ids: readonly string[], names: Names) => list(ids.map(names.nameOf))
