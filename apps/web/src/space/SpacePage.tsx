import { Link, useParams } from 'wouter'
import { PageBar } from '../app/PageBar'
import { HOME } from '../app/paths'
import { useTitle } from '../app/title'
import { EmptyState } from '../components/EmptyState'
import { PageToCome } from '../components/PageFrame'
import { hasStatus } from '../query/explain'
import { useSpace } from '../query/space'
import { useSpaceName } from '../query/space-name'
import { texts } from '../texts'
import { SpaceView } from './SpaceView'

/** A space, by the address of the page: the newest of its history, or one event of it. */
export function SpacePage() {
  const { spaceId = '', '*': rest } = useParams<{ spaceId: string; '*'?: string }>()
  const eventId = /^e\/([^/]+)$/.exec(rest ?? '')?.[1] ?? null
  const query = useSpace(spaceId, { isOpened: true })
  const { data: space, error, isFetchedAfterMount } = query
  const name = useSpaceName(spaceId)
  useTitle(name)

  if (error && !space) {
    if (!hasStatus(error, 404)) return <PageToCome title={name} query={query} rows={6} />
    return (
      <>
        <PageBar />
        <EmptyState
          isPage
          icon="space"
          title={texts.space.notFoundTitle}
          action={<Link href={HOME}>{texts.notFound.home}</Link>}
        >
          {texts.space.notFoundText(spaceId)}
        </EmptyState>
      </>
    )
  }
  return <SpaceView key={spaceId} spaceId={spaceId} space={space} isCurrent={isFetchedAfterMount} eventId={eventId} />
}
