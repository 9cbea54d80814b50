import { Link } from 'wouter'
import { Button } from '../../shared/components/Button'
import type { RequestState } from '../../shared/components/Dialog'
import { ErrorNote } from '../../shared/components/ErrorNote'
import { hasStatus } from '../../shared/explain'
import { spacePath } from '../../shared/navigation/paths'
import { guideTexts } from '../guide/texts'
import styles from './TrySample.module.css'

interface TrySampleProps {
  /** The sample space that is there. */
  readonly sampleId: string | undefined
  /** The making of one. It is kept above: lists show the space before it has all that it needs. */
  readonly asked: RequestState
  readonly onMake: () => void
}

/** The way into a sample space: the one that is there, or a new one. */
export function TrySample({ sampleId, asked, onMake }: TrySampleProps) {
  if (sampleId !== undefined) return <Link href={spacePath(sampleId)}>{guideTexts.goOn}</Link>
  return (
    <Button size="small" icon="play" isBusy={asked.isPending} onClick={onMake}>
      {guideTexts.try}
    </Button>
  )
}

/** Why there is none, and what can be done. */
export function SampleFailure({ error }: { readonly error: unknown }) {
  return (
    <div className={styles.failure}>
      <ErrorNote error={error} />
      {hasStatus(error, 403) && <p>{guideTexts.refused}</p>}
    </div>
  )
}
