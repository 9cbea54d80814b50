import type { Actor } from '@collab-spaces/client'
import { type FormEvent, useState } from 'react'
import { Button } from '../components/Button'
import { Dialog, DialogActions } from '../components/Dialog'
import { ErrorNote } from '../components/ErrorNote'
import { TextField } from '../components/Field'
import { useStopAgent, useStopAgents } from '../query/agent'
import { texts } from '../texts'

interface StopDialogProps {
  /** Null for all agents of this account. */
  readonly agent: Actor | null
  readonly onClose: () => void
}

/** Stops one agent, or all. The reason is told to whoever comes with the key. */
export function StopDialog({ agent, onClose }: StopDialogProps) {
  const [reason, setReason] = useState('')
  const one = useStopAgent(agent?.actor_id ?? '')
  const all = useStopAgents()
  const stop = agent ? one : all
  const words = texts.stopAgents
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const said = reason.trim() || undefined
    if (agent) one.mutate(said, { onSuccess: onClose })
    else all.mutate(said, { onSuccess: onClose })
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={agent ? words.title(agent.display_name) : words.titleAll}
      description={words.text}
    >
      <form onSubmit={submit}>
        <TextField label={words.reason} hint={words.reasonHint} value={reason} onChange={setReason} maxLength={500} />
        {stop.isError && <ErrorNote error={stop.error} />}
        <DialogActions>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button look="danger" type="submit" isBusy={stop.isPending}>
            {agent ? words.submit : words.submitAll}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
