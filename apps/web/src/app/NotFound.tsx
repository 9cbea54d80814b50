import { Link } from 'wouter'
import { EmptyState } from '../shared/components/EmptyState'
import { PageBar } from '../shared/components/PageBar'
import { HOME } from '../shared/navigation/paths'
import { useTitle } from '../shared/navigation/title'
import { texts } from '../shared/texts'

export function NotFound() {
  useTitle(texts.notFound.title)
  return (
    <>
      <PageBar />
      <EmptyState
        isPage
        icon="search"
        title={texts.notFound.title}
        action={<Link href={HOME}>{texts.notFound.home}</Link>}
      >
        {texts.notFound.text}
      </EmptyState>
    </>
  )
}
