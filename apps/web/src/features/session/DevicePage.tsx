import { type FormEvent, useState } from 'react'
import { Button } from '../../shared/components/Button'
import { ErrorNote } from '../../shared/components/ErrorNote'
import { TextField } from '../../shared/components/Field'
import { PageFrame, Section } from '../../shared/components/PageFrame'
import { useTitle } from '../../shared/navigation/title'
import { useAnswerDevice, useFindDevice } from '../../shared/query/sign-in'
import { useSession } from '../../shared/session/session'
import { commandTexts, deviceTexts } from './texts'
import styles from './Welcome.module.css'

/** Authorizes a CLI on another machine by the code that it shows. */
export function DevicePage() {
  const [code, setCode] = useState('')
  const { account } = useSession()
  const find = useFindDevice()
  const answer = useAnswerDevice()
  const words = deviceTexts
  useTitle(words.title)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    find.mutate(code)
  }
  const device = find.data
  return (
    <PageFrame title={words.title} lead={words.lead}>
      {answer.isSuccess ? (
        <Section title={answer.variables.allow ? words.allowed : words.refused}>{null}</Section>
      ) : device ? (
        <Section title={commandTexts.question(device.name, account.name)}>
          <p>{words.from(device.address)}</p>
          {answer.error && <ErrorNote error={answer.error} />}
          <div className={styles.ways}>
            <Button
              look="primary"
              isBusy={answer.isPending}
              onClick={() => answer.mutate({ user_code: device.user_code, allow: true })}
            >
              {commandTexts.allow}
            </Button>
            <Button onClick={() => answer.mutate({ user_code: device.user_code, allow: false })}>{words.refuse}</Button>
          </div>
        </Section>
      ) : (
        <Section title={words.codeTitle}>
          <form className={styles.form} onSubmit={submit}>
            <TextField
              label={words.code}
              hint={words.codeHint}
              value={code}
              onChange={setCode}
              autoCapitalize="characters"
              spellCheck={false}
              required
            />
            {find.error && <ErrorNote error={find.error} />}
            <Button look="primary" type="submit" isBusy={find.isPending}>
              {words.next}
            </Button>
          </form>
        </Section>
      )}
    </PageFrame>
  )
}
