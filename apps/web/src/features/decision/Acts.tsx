import type { DecisionAct } from '@collab-spaces/client'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Icon, type IconName } from '../../shared/components/Icon'
import { Poster, PosterAvatar } from '../../shared/components/Poster'
import { Time } from '../../shared/components/Time'
import { decisionPath } from '../../shared/navigation/paths'
import type { Names } from '../../shared/query/names'
import { rulesInWords } from '../policy/words'
import styles from './Acts.module.css'
import { actAuthor } from './act-author'
import { actsInWords } from './act-summary'
import { decisionTexts } from './texts'

interface ActsProps {
  readonly acts: readonly DecisionAct[]
  readonly names: Names
}

interface OfAct extends Pick<ActsProps, 'names'> {
  readonly act: DecisionAct
}

/** The acts on a decision in one line, which opens to all of them: the actor, the time and the credential. */
export function Acts({ acts, names }: ActsProps) {
  const last = acts.at(-1)
  return (
    <details>
      <summary className={styles.folded}>
        <span dir="auto">{actsInWords(acts, names)}</span>
        {last && (
          <>
            {' · '}
            <Time at={last.created_at} />
          </>
        )}
      </summary>
      <ol className={styles.acts}>
        {acts.map((act) => (
          <Act key={act.position} act={act} names={names} />
        ))}
      </ol>
    </details>
  )
}

function Act({ act, names }: OfAct) {
  const by = actAuthor(act, names)
  return (
    <li className={styles.act}>
      <PosterAvatar of={by} size="small" />
      <div className={styles.words}>
        <p>
          <Poster of={by} hasCard /> {whatOf(act)}
        </p>
        <ActText act={act} names={names} />
        <small>
          <Time at={act.created_at} /> · {authorityOf(act, names)}
        </small>
      </div>
    </li>
  )
}

function whatOf(act: DecisionAct): string {
  const words = decisionTexts.did
  switch (act.kind) {
    case 'proposed':
      return words.proposed
    case 'reviewed':
      return words.reviewed[act.verdict]
    case 'settled':
      return words.settled[act.status]
    case 'superseded':
      return words.superseded
    case 'used':
      return words.used
  }
}

/** The text of an act, and for a settlement the rules in force at that time. */
function ActText({ act, names }: OfAct): ReactNode {
  const words = decisionTexts
  switch (act.kind) {
    case 'proposed':
      return act.assignees.length > 0 && <Line icon="people">{words.asked(act.assignees.map(names.nameOf))}</Line>
    case 'reviewed':
      return (
        act.note !== null && (
          <blockquote className={styles.note} dir="auto">
            {act.note}
          </blockquote>
        )
      )
    case 'settled':
      return (
        <Line icon="key">
          {rulesInWords(act.rules, names.nameOf)}
          {act.approvals.given + act.approvals.required > 0 &&
            ` ${words.approvals(act.approvals.given, act.approvals.required)}.`}
        </Line>
      )
    case 'superseded':
      return (
        <Line icon="link">
          <Link href={decisionPath(act.space_id, act.superseded_by)}>{words.successor}</Link>
        </Line>
      )
    case 'used':
      return <Line icon="key">{act.digest}</Line>
  }
}

function Line({ icon, children }: { readonly icon: IconName; readonly children: ReactNode }) {
  return (
    <p className={styles.line}>
      <Icon name={icon} size={14} />
      <span>{children}</span>
    </p>
  )
}

/** Returns the authenticated role and credential of an act, whatever speaker it names. */
function authorityOf({ actor_type, sponsor_id, credential_id }: DecisionAct, names: Names): string {
  const words = decisionTexts
  const who = actor_type === 'human' ? words.asHuman : words.asAgent(sponsor_id && names.nameOf(sponsor_id))
  return `${who}, ${credential_id === 'api_key' ? words.withKey : words.withToken(credential_id)}`
}
