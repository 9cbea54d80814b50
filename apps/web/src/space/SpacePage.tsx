import { Link, useParams } from 'wouter'
import { PageBar } from '../app/PageBar'
import { HOME } from '../app/paths'
import { useTitle } from '../app/title'
import { EmptyState } from '../components/EmptyState'
import { ErrorNote } from '../components/ErrorNote'
import { PageFrame } from '../components/PageFrame'
import { hasStatus } from '../query/explain'
import { useSpace } from '../query/space'
import { useSpaceName } from '../query/space-name'
import { texts } from '../texts'
import { SpaceView } from './SpaceView'

/** A space, by the address of the page: the newest of its history, or one event of it. */
export function SpacePage() {
  const { spaceId = '', '*': rest } = useParams<{ spaceId: string; '*'?: string }>()
  const eventId = /^e\/([^/]+)$/.exec(rest ?? '')?.[1] ?? null
  const { data: space, error, refetch, isFetchedAfterMount } = useSpace(spaceId, { isOpened: true })
  const name = useSpaceName(spaceId)
  useTitle(name)

  if (error && !space) {
    return (
      <>
        <PageBar />
        {hasStatus(error, 404) ? (
          <EmptyState
            isPage
            icon="space"
            title={texts.space.notFoundTitle}
            action={<Link href={HOME}>{texts.notFound.home}</Link>}
          >
            {texts.space.notFoundText(spaceId)}
          </EmptyState>
        ) : (
          <PageFrame title={name}>
            <ErrorNote error={error} onRetry={() => void refetch()} />
          </PageFrame>
        )}
      </>
    )
  }
  return <SpaceView key={spaceId} spaceId={spaceId} space={space} isCurrent={isFetchedAfterMount} eventId={eventId} />
}
