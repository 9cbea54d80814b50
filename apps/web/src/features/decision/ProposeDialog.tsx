import { type Decision, LIMITS } from '@collab-spaces/client'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { ChoiceList } from '../../shared/components/ChoiceList'
import { FormDialog } from '../../shared/components/Dialog'
import { TextAreaField, TextField } from '../../shared/components/Field'
import { decisionPath } from '../../shared/navigation/paths'
import { usePropose } from '../../shared/query/decision'
import type { Names } from '../../shared/query/names'
import { texts } from '../../shared/texts'
import styles from './ProposeDialog.module.css'
import { decisionTexts, proposeTexts } from './texts'

interface ProposeDialogProps {
  readonly spaceId: string
  readonly names: Names
  /** The decision that the new one replaces. */
  readonly supersedes?: Decision
  /** The initial text of the field. */
  readonly initialText?: string
  /** Called instead of navigating to the new decision. */
  readonly onProposed?: () => void
  readonly onClose: () => void
}

export function ProposeDialog(props: ProposeDialogProps) {
  const { spaceId, names, supersedes, initialText = '', onProposed, onClose } = props
  const [text, setText] = useState(initialText)
  const [assignees, setAssignees] = useState<readonly string[]>([])
  const [reviewOn, setReviewOn] = useState('')
  const [, navigate] = useLocation()
  const propose = usePropose(spaceId)
  const words = proposeTexts

  const submit = () => {
    propose.mutate(
      {
        text: text.trim(),
        assignees: [...assignees],
        supersedes: supersedes?.decision_id,
        review_at: reviewOn === '' ? undefined : new Date(`${reviewOn}T09:00`).toISOString(),
      },
      {
        onSuccess: ({ decision_id }) => {
          onClose()
          if (onProposed) onProposed()
          else navigate(decisionPath(spaceId, decision_id))
        },
      },
    )
  }
  return (
    <FormDialog
      title={supersedes ? decisionTexts.replace : words.title}
      description={words.lead}
      request={propose}
      submit={words.submit}
      isPossible={text.trim() !== ''}
      onClose={onClose}
      onSubmit={submit}
    >
      {supersedes && (
        <p className={styles.supersedes}>
          {words.replaces} <q>{supersedes.text}</q>
        </p>
      )}
      <TextAreaField
        label={words.text}
        hint={words.textHint}
        value={text}
        onChange={setText}
        rows={4}
        maxLength={LIMITS.text}
        required
      />
      <ChoiceList
        label={words.assignees}
        hint={words.assigneesHint}
        options={names.all
          .filter(({ isStopped }) => !isStopped)
          .map(({ actorId, name, kind }) => ({
            value: actorId,
            label: kind === 'agent' ? texts.people.agentNamed(name) : name,
          }))}
        selected={assignees}
        onChange={setAssignees}
        isAwaited={names.isAwaited}
      />
      <TextField label={words.reviewOn} hint={words.reviewOnHint} type="date" value={reviewOn} onChange={setReviewOn} />
    </FormDialog>
  )
}
