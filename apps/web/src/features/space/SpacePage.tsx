import type { ComponentType } from 'react'
import { Link, useParams } from 'wouter'
import { EmptyState } from '../../shared/components/EmptyState'
import { PageBar } from '../../shared/components/PageBar'
import { PageSkeleton } from '../../shared/components/PageFrame'
import { hasStatus } from '../../shared/explain'
import { HOME } from '../../shared/navigation/paths'
import { useTitle } from '../../shared/navigation/title'
import { useSpace } from '../../shared/query/space'
import { useSpaceName } from '../../shared/query/space-name'
import { texts } from '../../shared/texts'
import { SpaceView } from './SpaceView'
import { spaceTexts } from './texts'

/** Returns a page of a space, or of none: also of one that was loaded before, but is no longer visible. */
export const inSpace = (Page: ComponentType): ComponentType =>
  function InSpace() {
    const { spaceId = '' } = useParams<{ spaceId: string }>()
    if (!hasStatus(useSpace(spaceId).error, 404)) return <Page />
    return (
      <>
        <PageBar />
        <EmptyState
          isPage
          icon="space"
          title={spaceTexts.notFoundTitle}
          action={<Link href={HOME}>{texts.notFound.home}</Link>}
        >
          {spaceTexts.notFoundText(spaceId)}
        </EmptyState>
      </>
    )
  }

/** The page of a space, at its newest event or at the one in the path. */
export function SpacePage() {
  const { spaceId = '', '*': rest } = useParams<{ spaceId: string; '*'?: string }>()
  const eventId = /^e\/([^/]+)$/.exec(rest ?? '')?.[1] ?? null
  const query = useSpace(spaceId, { isOpened: true })
  const { data: space, error, isFetchedAfterMount } = query
  const name = useSpaceName(spaceId)
  useTitle(name)

  if (error && !space) return <PageSkeleton title={name} query={query} rows={6} />
  return <SpaceView key={spaceId} spaceId={spaceId} space={space} isCurrent={isFetchedAfterMount} eventId={eventId} />
}
