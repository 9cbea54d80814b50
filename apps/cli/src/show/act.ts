import type { DecisionAct } from '@collab-spaces/client'
import type { Style } from '../terminal/style.js'
import { table } from '../terminal/table.js'
import { clockTime } from '../terminal/time.js'
import { type Names, nameOf } from './participant.js'

export function listOfActs(acts: readonly DecisionAct[], names: Names, style: Style): string {
  if (acts.length === 0) return 'No acts: this decision is older than the log of acts.'
  return table(
    style,
    ['time', 'by', 'with', 'did', 'text'],
    acts.map((act) => [
      clockTime(act.created_at),
      nameOf(names, act.actor_id),
      act.credential_id === 'api_key' ? 'API key' : act.credential_id,
      deedOf(act),
      textOf(act),
    ]),
  )
}

function deedOf(act: DecisionAct): string {
  switch (act.kind) {
    case 'proposed':
      return 'proposed it'
    case 'reviewed':
      return act.verdict === 'approve' ? 'approved it' : 'disapproved of it'
    case 'settled':
      return `${act.status} it`
    case 'superseded':
      return 'superseded it'
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
  }
}
