import type { SpaceAct } from '@collab-spaces/client'
import { Dialog } from '../../shared/components/Dialog'
import { Loaded } from '../../shared/components/Loaded'
import { Time } from '../../shared/components/Time'
import type { Names } from '../../shared/query/names'
import { useSpaceActs } from '../../shared/query/policy'
import { texts } from '../../shared/texts'
import styles from './PolicyChanges.module.css'
import { policyTexts } from './texts'
import { policyInWords } from './words'

interface PolicyChangesProps {
  readonly spaceId: string
  readonly names: Names
  readonly onClose: () => void
}

/** The changes of a space's policy, owners, visibility and participants, with old and new values. */
export function PolicyChanges({ spaceId, names, onClose }: PolicyChangesProps) {
  const query = useSpaceActs(spaceId)
  const words = policyTexts
  return (
    <Dialog isOpen onClose={onClose} title={words.changesTitle}>
      <Loaded query={query} rows={2}>
        {(acts) =>
          acts.length === 0 ? (
            <p className={styles.nothing}>{words.noChanges}</p>
          ) : (
            <ol className={styles.changes}>
              {acts.map((act) => (
                <Change key={act.position} act={act} names={names} />
              ))}
            </ol>
          )
        }
      </Loaded>
    </Dialog>
  )
}

function Change({ act, names }: { readonly act: SpaceAct; readonly names: Names }) {
  const words = policyTexts
  const [before, after] = valuesOf(act, names)
  return (
    <li className={styles.change}>
      <p>
        <strong>{act.actor_id === null ? words.operator : names.nameOf(act.actor_id)}</strong>{' '}
        {words.did[act.kind as keyof typeof words.did] ?? words.changed} · <Time at={act.created_at} />
      </p>
      <p className={styles.value}>
        {words.before} {before}
      </p>
      <p className={styles.value}>
        {words.after} {after}
      </p>
    </li>
  )
}

function valuesOf(act: SpaceAct, names: Names): readonly [before: string, after: string] {
  const owners = (ids: readonly string[]) => policyTexts.owners(ids.map(names.nameOf))
  switch (act.kind) {
    case 'owners_changed':
      return [owners(act.before), owners(act.after)]
    case 'visibility_changed':
      return [texts.visibility[act.before], texts.visibility[act.after]]
    case 'participant_added':
      return [policyTexts.owners([]), names.nameOf(act.participant_id)]
    case 'participant_removed':
      return [names.nameOf(act.participant_id), policyTexts.owners([])]
    case 'policy_changed':
      return [policyInWords(act.before, names.nameOf), policyInWords(act.after, names.nameOf)]
    default:
      return ['', '']
  }
}
