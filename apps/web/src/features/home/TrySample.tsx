import { Link } from 'wouter'
import { Button } from '../../shared/components/Button'
import type { RequestState } from '../../shared/components/Dialog'
import { ErrorNote } from '../../shared/components/ErrorNote'
import { hasStatus } from '../../shared/explain'
import { spacePath } from '../../shared/navigation/paths'
import { guideTexts } from '../guide/texts'
import styles from './TrySample.module.css'

interface TrySampleProps {
  /** The existing sample space. */
  readonly sampleId: string | undefined
  /** The request that creates one. Its state is kept by the parent, as lists show the space before it is complete. */
  readonly request: RequestState
  readonly onMake: () => void
}

/** Links to the sample space, or creates one. */
export function TrySample({ sampleId, request, onMake }: TrySampleProps) {
  if (sampleId !== undefined) return <Link href={spacePath(sampleId)}>{guideTexts.goOn}</Link>
  return (
    <Button size="small" icon="play" isBusy={request.isPending} onClick={onMake}>
      {guideTexts.try}
    </Button>
  )
}

/** The error of creating a sample space. */
export function SampleFailure({ error }: { readonly error: unknown }) {
  return (
    <div className={styles.failure}>
      <ErrorNote error={error} />
      {hasStatus(error, 403) && <p>{guideTexts.refused}</p>}
    </div>
  )
}
