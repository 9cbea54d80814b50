import { useState } from 'react'
import { changeLanguage, language, languageNames } from '../../languages/language'
import { useCell } from '../../shared/cell'
import { Avatar } from '../../shared/components/Avatar'
import { Badge } from '../../shared/components/Badge'
import { Button } from '../../shared/components/Button'
import { SelectField } from '../../shared/components/Field'
import { useTitle } from '../../shared/navigation/title'
import { texts } from '../../shared/texts'
import { pendingInvite } from './pending-invite'
import { SignIn } from './SignIn'
import { SignUp } from './SignUp'
import { welcomeTexts } from './texts'
import styles from './Welcome.module.css'

interface WelcomeProps {
  /** The name of the account whose credential has ended. */
  readonly ended: string | null
  /** Called after a sign-in or on Back. Undefined while no account is signed in. */
  readonly onDone?: (() => void) | undefined
}

/** The page to sign in or create an account. */
export function Welcome({ ended, onDone }: WelcomeProps) {
  const isInvited = useCell(pendingInvite) !== null
  const [way, setWay] = useState<'signIn' | 'signUp'>(isInvited ? 'signUp' : 'signIn')
  const welcome = welcomeTexts
  useTitle(welcome[way])
  const done = () => onDone?.()

  return (
    <main className={styles.welcome}>
      <div className={styles.story}>
        <p className={styles.product}>
          <img src="/favicon.svg" alt="" width={28} height={28} /> {texts.product}
        </p>
        <h1 className={styles.title}>{welcome.title}</h1>
        <p className={styles.lead}>{welcome.lead}</p>
        <Scene />
      </div>
      <div className={styles.door}>
        <div className={styles.card}>
          {ended && (
            <p className={styles.notice} role="alert">
              {welcome.ended(ended)}
            </p>
          )}
          {isInvited && <p className={styles.invited}>{welcome.invited}</p>}
          <fieldset className={styles.ways} aria-label={texts.product}>
            {(['signIn', 'signUp'] as const).map((one) => (
              <button
                key={one}
                type="button"
                className={styles.way}
                aria-pressed={way === one}
                onClick={() => setWay(one)}
              >
                {welcome[one]}
              </button>
            ))}
          </fieldset>
          {way === 'signIn' ? <SignIn onDone={done} /> : <SignUp onDone={done} />}
          {onDone && (
            <Button look="plain" icon="back" onClick={onDone}>
              {welcome.back}
            </Button>
          )}
          <SelectField label={texts.language} value={language} options={languageNames} onChange={changeLanguage} />
        </div>
      </div>
    </main>
  )
}

/** A sample conversation that shows what the product does. */
function Scene() {
  const { cards, decided } = welcomeTexts
  return (
    <div className={styles.scene} aria-hidden="true">
      <p className={styles.said}>
        <Avatar id="Ada" name="Ada" kind="human" />
        <span className={styles.bubble}>{cards.human}</span>
      </p>
      <p className={styles.said}>
        <Avatar id="Scout" name="Scout" kind="agent" />
        <span className={styles.bubble}>{cards.agent}</span>
      </p>
      <p className={styles.decision}>
        {cards.decision} <Badge tone="good">{decided}</Badge>
      </p>
    </div>
  )
}
