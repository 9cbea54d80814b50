import { type DecisionAct, doerOf, type SpaceAct } from '@collab-spaces/client'
import type { Style } from '../terminal/style.js'
import type { Text } from '../terminal/styled.js'
import { table } from '../terminal/table.js'
import { clockTime } from '../terminal/time.js'
import { type Names, nameOf } from './participant.js'
import { rulesOf } from './policy.js'
import { posterOf } from './poster.js'

export const listOfActs = (acts: readonly DecisionAct[], names: Names, style: Style): Text =>
  table(style, acts, {
    time: ({ created_at }) => clockTime(created_at),
    by: (act) => posterOf(doerOf(act, (id) => names.get(id))),
    with: credentialOf,
    did: actionOf,
    text: textOf,
  })

const credentialOf = ({ credential_id }: Pick<SpaceAct, 'credential_id'>) =>
  credential_id === 'api_key' ? 'API key' : credential_id

function actionOf(act: DecisionAct): string {
  switch (act.kind) {
    case 'proposed':
      return 'proposed it'
    case 'reviewed':
      return act.verdict === 'approve' ? 'approved it' : 'disapproved of it'
    case 'settled':
      return `${act.status} it`
    case 'superseded':
      return 'superseded it'
    case 'used':
      return 'used its action'
  }
}

function textOf(act: DecisionAct): string {
  switch (act.kind) {
    case 'proposed':
      return act.text
    case 'reviewed':
      return act.note ?? ''
    case 'settled':
      return act.resolution
    case 'superseded':
      return `by ${act.superseded_by}`
    case 'used':
      return act.digest
  }
}

/** A table of the acts on a space: a line for each change. */
export function listOfSpaceActs(acts: readonly SpaceAct[], names: Names, style: Style): Text {
  if (acts.length === 0) return 'The policy and the owners were never changed.'
  const changes = acts.flatMap((act) => changesIn(act, names).map((change) => ({ act, change })))
  return table(style, changes, {
    time: ({ act }) => clockTime(act.created_at),
    by: ({ act }) => (act.actor_id === null ? 'the operator' : nameOf(names, act.actor_id)),
    with: ({ act }) => credentialOf(act),
    changed: ({ change: [rule] }) => rule,
    from: ({ change: [, before] }) => before,
    to: ({ change: [, , after] }) => after,
  })
}

type Change = readonly [rule: string, before: string, after: string]

function changesIn(act: SpaceAct, names: Names): readonly Change[] {
  if (act.kind === 'owners_changed') {
    const namesOf = (owners: readonly string[]) => owners.map((owner) => nameOf(names, owner)).join(', ') || 'none'
    return [['owners', namesOf(act.before), namesOf(act.after)]]
  }
  if (act.kind === 'visibility_changed') return [['visibility', act.before, act.after]]
  if (act.kind === 'participant_added') return [['participants', '', nameOf(names, act.participant_id)]]
  if (act.kind === 'participant_removed') return [['participants', nameOf(names, act.participant_id), '']]
  if (act.kind !== 'policy_changed') return []
  const after = rulesOf(act.after, names)
  const rules = rulesOf(act.before, names).map(
    ([rule, before], index) => [rule, before, after[index]?.[1] ?? ''] as const,
  )
  const changed = rules.filter(([, before, after]) => before !== after)
  // An act that changed nothing has a line, too.
  return changed.length > 0 ? changed : [['nothing', '', '']]
}
