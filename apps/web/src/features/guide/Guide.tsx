import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useCell } from '../../shared/cell'
import { Button } from '../../shared/components/Button'
import { ConfirmDialog } from '../../shared/components/ConfirmDialog'
import { classes } from '../../shared/components/classes'
import { ErrorNote } from '../../shared/components/ErrorNote'
import { Icon } from '../../shared/components/Icon'
import { VisuallyHidden } from '../../shared/components/Text'
import { dialogPath } from '../../shared/navigation/dialog-param'
import { AGENTS, HOME } from '../../shared/navigation/paths'
import { useMyAgents } from '../../shared/query/agent'
import { guidedBy, useActAsGuide, useRemoveSample } from '../../shared/query/sample'
import { useSession } from '../../shared/session/session'
import { texts } from '../../shared/texts'
import { toast } from '../../shared/toast'
import type { History } from '../history/history'
import styles from './Guide.module.css'
import { nextAct, type Progress, progressOf } from './script'
import { guideTexts } from './texts'
import { useTabLock } from './useTabLock'

interface GuideProps {
  readonly spaceId: string
  readonly history: History
  /** Whether the account can post here now. */
  readonly canWrite: boolean
}

/** The guide of a sample space and the progress of its human. Renders nothing in other spaces. */
export function Guide(props: GuideProps) {
  const { data: agents = [], isLoading } = useMyAgents({ isWatched: false })
  const guide = agents.find((agent) => guidedBy(agent) === props.spaceId)
  if (!guide && !isLoading) return null
  const hasAgent = agents.some((agent) => guidedBy(agent) === null)
  return <Tour {...props} guideId={guide?.actor_id ?? null} hasAgent={hasAgent} />
}

const NOTHING_YET: Pick<Progress, 'hasSpoken' | 'outcome'> = { hasSpoken: false, outcome: null }

interface TourProps extends GuideProps {
  /** Null until it loads. */
  readonly guideId: string | null
  /** Whether its human has another agent. */
  readonly hasAgent: boolean
}

function Tour({ spaceId, history, canWrite, guideId, hasAgent }: TourProps) {
  const state = useCell(history.state)
  const { hasSpoken, outcome } = guideId === null ? NOTHING_YET : progressOf(state, { guideId })
  const steps = [
    { title: guideTexts.speak, hint: guideTexts.speakHint, isDone: hasSpoken },
    { title: guideTexts.decide, hint: guideTexts.decideHint, isDone: outcome !== null },
    { title: guideTexts.bring, hint: guideTexts.bringHint, isDone: hasAgent },
  ]
  const current = steps.findIndex(({ isDone }) => !isDone)
  return (
    <section className={styles.guide} aria-label={guideTexts.label} data-unprinted>
      <div className={styles.head}>
        <p>{guideTexts.honest}</p>
        <Remove spaceId={spaceId} />
      </div>
      <ol className={styles.steps}>
        {steps.map(({ title, isDone }, at) => (
          <Step key={title} number={at + 1} isDone={isDone} isCurrent={at === current}>
            {title}
          </Step>
        ))}
      </ol>
      <p>
        {steps[current]?.hint ?? guideTexts.doneHint}
        {outcome !== null && !hasAgent && (
          <>
            {' '}
            <Link href={dialogPath(AGENTS, 'new')}>{texts.agents.add}</Link>
          </>
        )}
      </p>
      {guideId !== null && canWrite && <GuideActor spaceId={spaceId} history={history} guideId={guideId} />}
    </section>
  )
}

interface GuideActorProps extends Pick<GuideProps, 'spaceId' | 'history'> {
  readonly guideId: string
}

/** Performs the guide's next act when it changes. The history shows the result; this renders only errors. */
function GuideActor({ spaceId, history, guideId }: GuideActorProps) {
  const { account } = useSession()
  const state = useCell(history.state)
  const isComplete = state.status === 'ready' && !state.hasNewer && state.acts.to === null
  const next = isComplete ? nextAct(state, { actorId: account.actorId, name: account.name, guideId }) : null
  const isOurs = useTabLock(`spaces.guide ${guideId}`)
  const { mutate, error } = useActAsGuide(spaceId, guideId, account.actorId)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the act
  useEffect(() => {
    if (isOurs && next) mutate(next)
  }, [isOurs, next?.key])
  return error !== null && next && <ErrorNote error={error} onRetry={() => mutate(next)} />
}

interface StepProps {
  readonly number: number
  readonly isDone: boolean
  readonly isCurrent: boolean
  readonly children: string
}

function Step({ number, isDone, isCurrent, children }: StepProps) {
  return (
    <li
      className={classes(styles.step, isDone && styles.done, isCurrent && styles.current)}
      aria-current={isCurrent ? 'step' : undefined}
    >
      <span className={styles.sign}>{isDone ? <Icon name="check" size={14} /> : number}</span>
      <span>
        {children}
        {isDone && <VisuallyHidden>, {texts.done}</VisuallyHidden>}
      </span>
    </li>
  )
}

function Remove({ spaceId }: { readonly spaceId: string }) {
  const [isAsking, setIsAsking] = useState(false)
  const [, navigate] = useLocation()
  const remove = useRemoveSample(spaceId, () => {
    navigate(HOME)
    toast(guideTexts.removed)
    // The pressed button is gone with its page.
    document.getElementById('content')?.focus()
  })
  return (
    <>
      <Button size="small" onClick={() => setIsAsking(true)}>
        {guideTexts.remove}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={guideTexts.removeTitle}
        text={guideTexts.removeText}
        confirm={texts.remove}
        request={remove}
        onConfirm={() => remove.mutate()}
      />
    </>
  )
}
