import { memo, type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { list } from '../../languages/format'
import { ActorName } from '../../shared/components/ActorName'
import { Badge } from '../../shared/components/Badge'
import { Icon } from '../../shared/components/Icon'
import { Poster, PosterAvatar } from '../../shared/components/Poster'
import { Time } from '../../shared/components/Time'
import { Markdown } from '../../shared/markdown/Markdown'
import { plainText } from '../../shared/markdown/plain'
import { decisionPath } from '../../shared/navigation/paths'
import { posterInWords } from '../../shared/poster'
import { useDecision } from '../../shared/query/decision'
import type { Names } from '../../shared/query/names'
import { texts } from '../../shared/texts'
import { clockTime } from '../../shared/time'
import { Approvals } from '../decision/Approvals'
import { Authorization } from '../decision/Authorization'
import { actAuthor } from '../decision/act-author'
import { DECISION_TONES } from '../decision/Board'
import { DecisionActions } from '../decision/DecisionActions'
import { DiscussLink } from '../decision/DiscussLink'
import { decisionTexts } from '../decision/texts'
import { policyTexts } from '../policy/texts'
import { policyInWords } from '../policy/words'
import styles from './ActItem.module.css'
import { Clamped } from './Clamped'
import event from './EventItem.module.css'
import { participantsOf } from './fold-participants'
import { Line } from './Line'
import type { ActRow, ProposedAct, SettledAct } from './rows'
import { actsTexts } from './texts'

interface ActItemProps {
  readonly row: ActRow
  readonly names: Names
  /** Whether it is the selected line. */
  readonly isSelected: boolean
}

/** An act on a decision or the space, as a line of the history. */
export const ActItem = memo(function ActItem({ row, names, isSelected }: ActItemProps) {
  const { act } = row
  const by = actAuthor(act, names)
  const who = by ? posterInWords(by) : policyTexts.operator
  const did = didOf(row)
  const participants = participantsOf(row)
  const what = participants.length === 0 ? did : `${did} ${list(participants.map(names.nameOf))}`
  return (
    <Line
      row={row}
      at={act.created_at}
      className={styles.act}
      aria-label={actsTexts.by(who, what, clockTime(act.created_at))}
      tabIndex={isSelected ? 0 : -1}
    >
      <div className={event.gutter}>{by ? <PosterAvatar of={by} size="small" /> : <Icon name="key" />}</div>
      <div className={styles.body}>
        <p className={styles.head}>
          {by ? <Poster of={by} hasCard /> : <strong>{who}</strong>} <span>{did}</span> <Subject row={row} />
          {participants.length > 0 && <Participants ids={participants} names={names} />}
          <small className={event.time}>
            <Time at={act.created_at} form="clock" />
          </small>
        </p>
        <ActText row={row} names={names} />
      </div>
    </Line>
  )
})

function didOf({ act, isTakenBack }: ActRow): string {
  const words = actsTexts
  switch (act.kind) {
    case 'reviewed':
      return isTakenBack ? words.tookBack : words.reviewed[act.verdict]
    case 'settled':
      return words.settled[act.status]
    case 'policy_changed':
      return policyTexts.changed
    case 'proposed':
    case 'superseded':
    case 'used':
    case 'participant_added':
    case 'participant_removed':
      return words[act.kind]
    default:
      return policyTexts.did[act.kind]
  }
}

/** The number of participants named at first. */
const MAX_NAMES = 4

interface ParticipantsProps extends Pick<ActItemProps, 'names'> {
  readonly ids: readonly string[]
}

/** The names of participants, of which the last ones open in place. */
function Participants({ ids, names }: ParticipantsProps) {
  const [isOpen, setIsOpen] = useState(false)
  const more = isOpen ? 0 : ids.length - MAX_NAMES
  const shown = more > 1 ? ids.slice(0, MAX_NAMES) : ids
  return (
    <>
      {shown.map((id, at) => (
        <span key={id} className={styles.listed}>
          <ActorName id={id} name={names.nameOf(id)} />
          {at < shown.length - 1 && actsTexts.comma}
        </span>
      ))}
      {more > 1 && (
        <button type="button" className={event.replies} data-reach onClick={() => setIsOpen(true)}>
          {actsTexts.more(more)}
        </button>
      )}
    </>
  )
}

/** Links to the decision of an act by the start of its text. A proposal shows all of it. */
function Subject({ row: { act, proposal } }: Pick<ActItemProps, 'row'>): ReactNode {
  const isNamed = act.decision_id !== null && act.kind !== 'proposed'
  const { data: decision } = useDecision(act.space_id, isNamed && !proposal ? act.decision_id : null)
  if (!isNamed || act.decision_id === null) return null
  const text = proposal?.text ?? decision?.text
  return (
    <Link className={styles.subject} dir="auto" href={decisionPath(act.space_id, act.decision_id)}>
      {text === undefined ? actsTexts.decision : plainText(text)}
    </Link>
  )
}

/** The text of an act, or the changes that it made. */
function ActText({ row, names }: Pick<ActItemProps, 'row' | 'names'>): ReactNode {
  const { act, outcome } = row
  switch (act.kind) {
    case 'proposed':
      return <Proposal act={act} outcome={outcome} names={names} />
    case 'reviewed':
      return (
        act.note !== null && (
          <blockquote className={styles.said} dir="auto">
            {act.note}
          </blockquote>
        )
      )
    case 'settled':
      return (
        <div className={styles.said}>
          <Clamped text={act.resolution}>
            <Markdown text={act.resolution} />
          </Clamped>
        </div>
      )
    case 'superseded':
      return <Link href={decisionPath(act.space_id, act.superseded_by)}>{decisionTexts.successor}</Link>
    case 'policy_changed':
      return <p className={styles.value}>{policyInWords(act.after, names.nameOf)}</p>
    case 'owners_changed':
      return <p className={styles.value}>{policyTexts.owners(act.after.map(names.nameOf))}</p>
    case 'visibility_changed':
      return <p className={styles.value}>{texts.visibility[act.after]}</p>
    case 'used':
    case 'participant_added':
    case 'participant_removed':
      return null
  }
}

interface ProposalProps extends Pick<ActItemProps, 'names'> {
  readonly act: ProposedAct
  readonly outcome: SettledAct | null
}

/** A proposal with its text, status and, while it is open, actions. */
function Proposal({ act, outcome, names }: ProposalProps) {
  const { space_id: spaceId, decision_id: decisionId, text } = act
  const { data: decision } = useDecision(spaceId, outcome ? null : decisionId)
  const status = outcome?.status ?? decision?.status
  const words = decisionTexts
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of text and actions is no fieldset
    <div className={styles.proposal} role="group" aria-label={words.title}>
      <Clamped text={text}>
        <Markdown text={text} />
      </Clamped>
      {decision && <Authorization decision={decision} names={names} />}
      <p className={styles.state}>
        {status && <Badge tone={DECISION_TONES[status]}>{words.statuses[status]}</Badge>}
        {decision?.superseded_by && <Badge>{words.superseded}</Badge>}
        <Link href={decisionPath(spaceId, decisionId)} data-reach data-unprinted>
          {actsTexts.open}
        </Link>
        <DiscussLink spaceId={spaceId} decisionId={decisionId} />
      </p>
      {!status && <div className={styles.awaited} />}
      {decision?.status === 'proposed' && (
        <>
          {(decision.approvals.required > 0 || decision.approvals.by.length > 0) && (
            <p className={styles.value}>
              <Approvals approvals={decision.approvals} names={names} />
            </p>
          )}
          <DecisionActions decision={decision} />
        </>
      )}
    </div>
  )
}
