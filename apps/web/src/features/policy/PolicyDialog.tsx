import { LIMITS, type Policy } from '@collab-spaces/client'
import { useState } from 'react'
import { ChoiceList } from '../../shared/components/ChoiceList'
import { FormDialog } from '../../shared/components/Dialog'
import { CheckField, SelectField, TextField } from '../../shared/components/Field'
import type { Names } from '../../shared/query/names'
import { useSetPolicy } from '../../shared/query/policy'
import styles from './PolicyDialog.module.css'
import { policyTexts } from './texts'

interface PolicyDialogProps {
  readonly policy: Policy
  readonly names: Names
  readonly onClose: () => void
}

/** Edits the policy of a space: who settles decisions, the approvals required, and the loop guard. */
export function PolicyDialog({ policy, names, onClose }: PolicyDialogProps) {
  const [rules, setRules] = useState(policy.settle)
  const [guard, setGuard] = useState(policy.loop_guard)
  const set = useSetPolicy(policy.space_id)
  const words = policyTexts
  const change = (part: Partial<Policy['settle']>) => setRules({ ...rules, ...part })

  const submit = () => {
    set.mutate({ settle: rules, loop_guard: guard }, { onSuccess: onClose })
  }
  return (
    <FormDialog title={words.title} description={words.lead} request={set} onClose={onClose} onSubmit={submit}>
      <SelectField
        label={words.who}
        value={rules.who}
        options={words.settlerOptions}
        onChange={(who) => change({ who })}
      />
      {rules.who === 'named' && (
        <ChoiceList
          label={words.namedLabel}
          options={names.all.map(({ actorId, name }) => ({ value: actorId, label: name }))}
          selected={rules.named}
          onChange={(named) => change({ named: [...named] })}
        />
      )}
      <NumberField
        label={words.approvals}
        hint={words.approvalsHint}
        max={LIMITS.requiredApprovals}
        value={rules.approvals}
        onChange={(approvals) => change({ approvals })}
      />
      <CheckField
        label={words.independent}
        hint={words.independentHint}
        checked={rules.independent}
        onChange={(independent) => change({ independent })}
      />
      <CheckField
        label={words.proposerMaySettle}
        checked={rules.proposer_may_settle}
        onChange={(proposer_may_settle) => change({ proposer_may_settle })}
      />
      <fieldset className={styles.guard}>
        <legend>{words.guardTitle}</legend>
        <NumberField
          label={words.guardTotal}
          max={LIMITS.guardedRun}
          value={guard.total}
          onChange={(total) => setGuard({ ...guard, total })}
        />
        <NumberField
          label={words.guardPerAgent}
          hint={words.guardHint}
          max={LIMITS.guardedOwn}
          value={guard.per_agent}
          onChange={(per_agent) => setGuard({ ...guard, per_agent })}
        />
      </fieldset>
    </FormDialog>
  )
}

interface NumberFieldProps {
  readonly label: string
  readonly hint?: string
  readonly max: number
  readonly value: number
  readonly onChange: (value: number) => void
}

const NumberField = ({ value, onChange, ...rest }: NumberFieldProps) => (
  <TextField
    type="number"
    min={0}
    step={1}
    required
    value={String(value)}
    onChange={(typed) => onChange(Number(typed))}
    {...rest}
  />
)
