import { type Event, LIMITS } from '@collab-spaces/client'
import { type FormEvent, useState } from 'react'
import { Button } from '../components/Button'
import { ErrorNote } from '../components/ErrorNote'
import { TextField } from '../components/Field'
import { plainText } from '../markdown/plain'
import { useStartThread } from '../query/thread'
import { texts } from '../texts'
import { HAS_KEYBOARD } from './keyboard'
import styles from './StartThread.module.css'

/** As long as a subject that is shown in a line. */
const SUBJECT_LENGTH = 60

/** Most threads are called as what they are about begins. */
function subjectFrom({ text }: Event): string {
  const plain = plainText(text)
  if (plain.length <= SUBJECT_LENGTH) return plain
  const cut = plain.slice(0, SUBJECT_LENGTH)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), SUBJECT_LENGTH / 2)).trimEnd()}…`
}

interface StartThreadProps {
  readonly spaceId: string
  readonly event: Event
  readonly onStart: () => void
}

/** Asks what a new thread about an event is to be called. */
export function StartThread({ spaceId, event: about, onStart }: StartThreadProps) {
  const [subject, setSubject] = useState(() => subjectFrom(about))
  const start = useStartThread(spaceId, about.event_id)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onStart()
    start.mutate(subject.trim())
  }
  const words = texts.thread
  return (
    <form className={styles.start} onSubmit={submit}>
      <TextField
        label={words.startSubject}
        hint={words.startHint}
        value={subject}
        onChange={setSubject}
        maxLength={LIMITS.subject}
        autoComplete="off"
        autoFocus={HAS_KEYBOARD}
        // As in the composer, the next one closes the panel.
        onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
        required
      />
      {start.isError && <ErrorNote error={start.error} />}
      <Button look="primary" type="submit" isBusy={start.isPending}>
        {words.start}
      </Button>
    </form>
  )
}
