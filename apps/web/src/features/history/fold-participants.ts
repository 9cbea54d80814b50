import type { SpaceAct } from '@collab-spaces/client'
import type { ActRow, Row } from './rows'

/** Joins adjacent rows in which one actor adds participants, or removes them, into one that names them all. */
export function foldParticipants(rows: readonly Row[]): readonly Row[] {
  const runs: Row[][] = []
  for (const row of rows) {
    const run = runs.at(-1)
    if (run && follows(run.at(-1), row)) run.push(row)
    else runs.push([row])
  }
  return runs.length === rows.length ? rows : runs.map(joined)
}

/** Returns the participants that an act added or removed. */
export function participantsOf({ act, also }: Pick<ActRow, 'act' | 'also'>): readonly string[] {
  return [act, ...also].flatMap((act) => (isOfParticipant(act) ? act.participant_id : []))
}

type ParticipantAct = Extract<SpaceAct, { participant_id: string }>

const isOfParticipant = (act: SpaceAct): act is ParticipantAct => 'participant_id' in act

const follows = (before: Row | undefined, row: Row): boolean =>
  before?.kind === 'act' &&
  row.kind === 'act' &&
  !row.startsDay &&
  isOfParticipant(row.act) &&
  before.act.kind === row.act.kind &&
  before.act.actor_id === row.act.actor_id

/** The last result for each first act, so that its row need not render again. */
const memoized = new WeakMap<SpaceAct, ActRow>()

function joined([first, ...rest]: Row[]): Row {
  if (rest.length === 0 || first?.kind !== 'act') return first as Row
  const last = memoized.get(first.act)
  if (last?.also.length === rest.length && last.startsDay === first.startsDay) return last
  const row = { ...first, also: rest.flatMap((row) => (row.kind === 'act' ? row.act : [])) }
  memoized.set(first.act, row)
  return row
}
