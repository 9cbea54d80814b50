import type { DecisionAct, Policy } from '@collab-spaces/client'
import type { EntryValue, ReadLog, ReadReceipt } from '@collab-spaces/merkle'
import { shownOrigin } from '../proof/space.js'
import type { Style } from '../terminal/style.js'
import { body, lines, styled, type Text } from '../terminal/styled.js'
import { settlingRules } from './policy.js'

/** A log as scripts get it. */
export const provenLog = ({ checkpoint: { origin, size, root }, origin: { epoch }, note, ...log }: ReadLog) => ({
  origin,
  epoch,
  size,
  root: root.toString('base64'),
  checkpoint: note,
  redactions: log.redactions,
  redacted: log.redacted,
})

const entries = (count: number) => (count === 1 ? '1 entry' : `${count.toLocaleString('en')} entries`)

export function oneLog(log: ReadLog, style: Style): Text {
  const { size, origin } = log.checkpoint
  const proven = `${shownOrigin(origin)}: all ${entries(size)} as sealed`
  const redacted = log.redacted.map(
    ({ position, erased_at, erasure_id }) =>
      styled`  position ${position} was redacted at ${erased_at} (erasure ${erasure_id}): what it said is not proved`,
  )
  const more = log.redactions - log.redacted.length
  return lines([style.green(proven), ...redacted, ...(more > 0 ? [styled`  and ${more} more were redacted`] : [])])
}

/** A receipt as scripts get it. */
export const provenReceipt = ({ checkpoint: { origin, size, root }, note, ...receipt }: ReadReceipt) => ({
  subject: receipt.subject,
  subject_id: receipt.subjectId,
  origin,
  size,
  root: root.toString('base64'),
  checkpoint: note,
  entries: receipt.entries.map(({ position, redacted, value }) => ({ position, redacted, value })),
})

export function oneReceipt({ subject, subjectId, checkpoint, entries: proven }: ReadReceipt, style: Style): Text {
  const head = `${subject} ${subjectId}, in a log of ${entries(checkpoint.size)}: ${checkpoint.origin}`
  const shown = proven.flatMap(({ position, redacted, value }) => [
    styled`${position}. ${subject === 'decision' ? deedOf(value as unknown as DecisionAct) : JSON.stringify(value)}`,
    ...(redacted ? [styled`   redacted at ${redacted.erased_at} (erasure ${redacted.erasure_id}): not proved`] : []),
  ])
  return lines([style.green(head), ...shown])
}

/** The human who answers for an act. */
const humanBehind = ({ actor_id, sponsor_id }: Pick<DecisionAct, 'actor_id' | 'sponsor_id'>) =>
  sponsor_id === null ? actor_id : `${actor_id}, an agent of ${sponsor_id},`

type DecisionOption = NonNullable<Extract<DecisionAct, { kind: 'proposed' }>['options']>[number]

const shownRules = (rules: unknown): string =>
  settlingRules(rules as Policy['settle'], new Map())
    .map(([name, value]) => `${name}: ${value}`)
    .join('; ')

const optionInWords = ({ id, label, denies }: DecisionOption) => `${id} (${label}${denies ? ', denies' : ''})`

function deedOf(act: DecisionAct & EntryValue): Text {
  const by = `${act.created_at} ${humanBehind(act)}`
  switch (act.kind) {
    case 'proposed':
      return lines([
        styled`${by} proposed: ${body(act.text)}`,
        ...(act.action ? [styled`   action ${act.action.type}, ${act.action.digest}`] : []),
        ...(act.options ? [styled`   options: ${act.options.map(optionInWords).join(', ')}`] : []),
        ...(act.expires_at ? [`   expires at ${act.expires_at}`] : []),
        styled`   rules then: ${shownRules(act.rules)}`,
      ])
    case 'reviewed':
      return `${by} ${act.verdict === 'approve' ? 'approved' : 'disapproved'}`
    case 'settled': {
      const { by: approvers, given, required, not_counted } = act.approvals
      const others = not_counted.map(({ actor_id, reason }) => `${actor_id} (${reason})`).join(', ')
      const count = `${given} of ${required} approvals, by ${approvers.join(', ') || 'none'}`
      return lines([
        styled`${by} ${act.status} it: ${body(act.resolution)}`,
        ...(act.option ? [styled`   chose the option ${act.option}`] : []),
        ...(act.edit ? [styled`   edited the action, now ${act.edit.digest}`] : []),
        styled`   rules then: ${shownRules(act.rules)}`,
        styled`   ${count}${others === '' ? '' : `; not counted: ${others}`}`,
      ])
    }
    case 'superseded':
      return `${by} superseded it by ${act.superseded_by}`
    case 'used':
      return `${by} used its action ${act.digest}`
  }
}
