import type { Decision } from '@collab-spaces/client'
import { useState } from 'react'
import { Button } from '../../shared/components/Button'
import { usePolicy } from '../../shared/query/policy'
import { useSession } from '../../shared/session/session'
import styles from './DecisionActions.module.css'
import { type Outcome, ReviewDialog, SettleDialog, type Verdict } from './DecisionDialogs'
import { resolveObstacle, settleObstacle } from './settle-obstacles'
import { decisionTexts, settleTexts } from './texts'

/** The actions on an open decision, and the obstacles to them. */
export function DecisionActions({ decision }: { readonly decision: Decision }) {
  const { account } = useSession()
  const { data: policy } = usePolicy(decision.space_id)
  const [verdict, setVerdict] = useState<Verdict | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const words = decisionTexts
  const approves = decision.approvals.by.includes(account.actorId)
  const notSettle = policy ? settleObstacle(decision, policy.settle, account) : null
  const notResolve = notSettle ?? resolveObstacle(decision)
  return (
    <div className={styles.actions}>
      {notResolve !== null && <p className={styles.hindrance}>{notResolve}</p>}
      <div className={styles.buttons}>
        <Button
          icon={approves ? 'close' : 'check'}
          aria-pressed={approves}
          onClick={() => setVerdict(approves ? 'reject' : 'approve')}
        >
          {approves ? words.withdraw : words.approve}
        </Button>
        <div className={styles.outcomes}>
          <Button disabled={notSettle !== null} onClick={() => setOutcome({ status: 'rejected' })}>
            {words.reject}
          </Button>
          {!decision.options && (
            <Button look="primary" disabled={notResolve !== null} onClick={() => setOutcome({ status: 'resolved' })}>
              {words.resolve}
            </Button>
          )}
        </div>
      </div>
      {decision.options && (
        <ul className={styles.options}>
          {decision.options.map((option) => (
            <li key={option.id}>
              <Button
                look={option.denies ? 'quiet' : 'primary'}
                disabled={notResolve !== null}
                onClick={() => setOutcome({ status: 'resolved', option })}
              >
                <bdi>{option.label}</bdi>
              </Button>
              <small dir="auto">
                {option.description ?? (option.denies ? settleTexts.denies : settleTexts.permits)}
              </small>
            </li>
          ))}
        </ul>
      )}
      {verdict && <ReviewDialog {...{ decision, verdict }} onClose={() => setVerdict(null)} />}
      {outcome && <SettleDialog {...{ decision, outcome }} onClose={() => setOutcome(null)} />}
    </div>
  )
}
