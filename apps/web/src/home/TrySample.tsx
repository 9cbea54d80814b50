import { SpacesError } from '@collab-spaces/client'
import { Link, useLocation } from 'wouter'
import { spacePath } from '../app/paths'
import { Button } from '../components/Button'
import { ErrorNote } from '../components/ErrorNote'
import { useMakeSample } from '../query/sample'
import { texts } from '../texts'
import styles from './TrySample.module.css'

/** Makes a sample space and goes there; or leads to the one that is there. */
export function TrySample({ sampleId = null }: { readonly sampleId?: string | null }) {
  const [, navigate] = useLocation()
  const make = useMakeSample((spaceId) => {
    navigate(spacePath(spaceId))
    // What was pressed is gone.
    document.getElementById('content')?.focus()
  })
  const words = texts.sample
  if (sampleId !== null) return <Link href={spacePath(sampleId)}>{words.goOn}</Link>
  const isRefused = make.error instanceof SpacesError && make.error.status === 403
  return (
    <>
      <Button size="small" icon="play" isBusy={make.isPending} onClick={() => make.mutate()}>
        {words.try}
      </Button>
      {make.error && (
        <div className={styles.failure}>
          <ErrorNote error={make.error} />
          {isRefused && <p>{words.refused}</p>}
        </div>
      )}
    </>
  )
}
