import type { Decision } from '@collab-spaces/client'
import { useState } from 'react'
import { number } from '../../languages/format'
import { Badge, type Tone } from '../../shared/components/Badge'
import { Button } from '../../shared/components/Button'
import type { Names } from '../../shared/query/names'
import { useSession } from '../../shared/session/session'
import styles from './Board.module.css'
import { COLUMNS, columnOf, type DecisionStatus } from './board'
import { DecisionCard } from './DecisionCard'
import { decisionsTexts, decisionTexts } from './texts'

interface BoardProps {
  readonly decisions: readonly Decision[]
  readonly names: Names
  readonly selectedId: string | null
}

export const DECISION_TONES: Readonly<Record<DecisionStatus, Tone>> = {
  proposed: 'warn',
  resolved: 'good',
  rejected: 'bad',
}

export function Board(props: BoardProps) {
  return (
    <div className={styles.board}>
      {COLUMNS.map((status) => (
        <Column key={status} status={status} {...props} />
      ))}
    </div>
  )
}

/** The number of cards that a column shows at first, and that each click adds. */
const PAGE_SIZE = 30

function Column({ status, decisions, names, selectedId }: BoardProps & { readonly status: DecisionStatus }) {
  const { account } = useSession()
  const [limit, setLimit] = useState(PAGE_SIZE)
  const column = columnOf(status, decisions, account.actorId)
  return (
    <section className={styles.column} aria-label={decisionTexts.statuses[status]}>
      <h2 className={styles.title}>
        {decisionTexts.statuses[status]}
        <Badge tone={column.length > 0 ? DECISION_TONES[status] : 'plain'}>{number(column.length)}</Badge>
      </h2>
      {column.length === 0 && <p className={styles.nothing}>{decisionsTexts.nothing[status]}</p>}
      <ul className={styles.cards}>
        {column.slice(0, limit).map((decision) => (
          <li key={decision.decision_id}>
            <DecisionCard decision={decision} names={names} isSelected={decision.decision_id === selectedId} />
          </li>
        ))}
      </ul>
      {column.length > limit && (
        <Button size="small" look="plain" onClick={() => setLimit(limit + PAGE_SIZE)}>
          {decisionsTexts.more(column.length - limit)}
        </Button>
      )}
    </section>
  )
}
