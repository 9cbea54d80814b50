import { Link } from 'wouter'
import { EmptyState } from '../components/EmptyState'
import { texts } from '../texts'
import { PageBar } from './PageBar'
import { HOME } from './paths'
import { useTitle } from './title'

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
