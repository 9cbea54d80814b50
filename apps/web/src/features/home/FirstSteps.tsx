import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { Badge } from '../../shared/components/Badge'
import { Button, IconButton } from '../../shared/components/Button'
import type { IconName } from '../../shared/components/Icon'
import { List, ListRow } from '../../shared/components/List'
import { Section } from '../../shared/components/PageFrame'
import { dialogPath } from '../../shared/navigation/dialog-param'
import { AGENTS, decisionsPath, TENANT } from '../../shared/navigation/paths'
import { useMe } from '../../shared/query/actor'
import { useMyAgents } from '../../shared/query/agent'
import { useDecisionCounts } from '../../shared/query/decision'
import { useMemberRights } from '../../shared/query/permission'
import { guidedBy, isSampleId } from '../../shared/query/sample'
import { useMySpaces } from '../../shared/query/space'
import { useSession } from '../../shared/session/session'
import { texts } from '../../shared/texts'
import { proposeTexts } from '../decision/texts'
import { invitesTexts } from '../tenant/texts'
import styles from './FirstSteps.module.css'
import { firstStepsTexts, homeTexts } from './texts'

/** The age up to which an account is new. */
const NEW_MS = 14 * 86_400_000

const keyOf = (actorId: string) => `spaces.first-steps ${actorId}`

interface FirstStepsProps {
  readonly onCreate: () => void
  /** The link to a sample space, unless it is shown elsewhere. */
  readonly sample: ReactNode
}

/** The first steps of a new account, until they are done or dismissed. */
export function FirstSteps({ onCreate, sample }: FirstStepsProps) {
  const { account } = useSession()
  const [isDismissed, setIsDismissed] = useState(() => window.localStorage.getItem(keyOf(account.actorId)) !== null)
  const { data: me } = useMe()
  const { data: spaces } = useMySpaces()
  const { data: agents } = useMyAgents()
  const isNew = me !== undefined && Date.now() - Date.parse(me.created_at) < NEW_MS
  if (isDismissed || account.kind !== 'human' || !isNew || !spaces || !agents) return null
  const dismiss = () => {
    window.localStorage.setItem(keyOf(account.actorId), 'dismissed')
    setIsDismissed(true)
    // The pressed button disappears.
    document.getElementById('content')?.focus()
  }
  // Sample spaces do not count.
  const own = spaces.filter(({ space_id }) => !isSampleId(space_id))
  const isCompany = agents.some((agent) => guidedBy(agent) === null)
  return (
    <Steps
      spaceId={own[0]?.space_id ?? null}
      hasCompany={isCompany || own.some(({ participant_count }) => participant_count > 1)}
      onCreate={onCreate}
      sample={sample}
      onDismiss={dismiss}
    />
  )
}

interface StepsProps extends FirstStepsProps {
  /** The space with the latest activity. */
  readonly spaceId: string | null
  readonly hasCompany: boolean
  readonly onDismiss: () => void
}

function Steps({ spaceId, hasCompany, onCreate, sample, onDismiss }: StepsProps) {
  const words = firstStepsTexts
  const { canAddAgents } = useMemberRights()
  const { data: counts } = useDecisionCounts(spaceId)
  const hasDecided = counts !== undefined && counts.proposed + counts.resolved + counts.rejected > 0
  if (spaceId !== null && (counts === undefined || (hasCompany && hasDecided))) return null
  return (
    <Section
      title={words.title}
      aside={<IconButton size="small" icon="close" label={words.dismiss} onClick={onDismiss} />}
    >
      <List label={words.title}>
        <Step
          icon="space"
          title={words.space}
          text={words.spaceText}
          isDone={spaceId !== null}
          action={
            <>
              <Button size="small" onClick={onCreate}>
                {homeTexts.create}
              </Button>
              {sample}
            </>
          }
        />
        <Step
          icon="people"
          title={words.company}
          text={words.companyText}
          isDone={hasCompany}
          action={
            <>
              {canAddAgents && <Link href={dialogPath(AGENTS, 'new')}>{texts.agents.add}</Link>}
              <Link href={TENANT}>{invitesTexts.create}</Link>
            </>
          }
        />
        <Step
          icon="decision"
          title={words.decide}
          text={spaceId === null ? words.decideFirst : words.decideText}
          isDone={hasDecided}
          action={
            spaceId !== null && <Link href={dialogPath(decisionsPath(spaceId), 'propose')}>{proposeTexts.submit}</Link>
          }
        />
      </List>
    </Section>
  )
}

interface StepProps {
  readonly icon: IconName
  readonly title: string
  readonly text: string
  readonly isDone: boolean
  /** The button that performs the step. */
  readonly action: ReactNode
}

function Step({ icon, title, text, isDone, action }: StepProps) {
  return (
    <ListRow
      icon={icon}
      title={
        <>
          {title} <Badge tone={isDone ? 'good' : 'plain'}>{isDone ? texts.done : firstStepsTexts.toDo}</Badge>
        </>
      }
      actions={!isDone && <span className={styles.ways}>{action}</span>}
    >
      <span>{text}</span>
    </ListRow>
  )
}
