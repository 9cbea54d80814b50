import { useLocation } from 'wouter'
import { unsaidBy } from '../features/composer/unsaid'
import { CopyField } from '../shared/components/CopyField'
import { EmptyState } from '../shared/components/EmptyState'
import { useTitle } from '../shared/navigation/title'
import { useSession } from '../shared/session/session'
import styles from './Moved.module.css'
import { AccountMenu } from './menu/AccountMenu'
import { movedTexts } from './menu/texts'

/** All that is left at this address when a tenant has moved: where it is, and what its member has not sent. */
export function Moved({ location }: { readonly location: string }) {
  const { actorId } = useSession().account
  // A reader who goes back in the browser's history finds that place at the new address, too.
  useLocation()
  const { pathname, search, hash } = window.location
  const words = movedTexts
  const unsaid = unsaidBy(actorId)
  useTitle(words.title)
  return (
    <main className={styles.moved}>
      <EmptyState
        isPage
        icon="link"
        title={words.title}
        action={<a href={`${location}${pathname}${search}${hash}`}>{words.open(new URL(location).host)}</a>}
      >
        {words.text(location)}
      </EmptyState>
      {unsaid.length > 0 && (
        <section className={styles.unsaid}>
          <p>{words.unsaid}</p>
          {unsaid.map(({ spaceId, text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they do not change any more
            <CopyField key={index} label={words.unsaidIn(spaceId)} value={text} />
          ))}
        </section>
      )}
      <div className={styles.account}>
        <AccountMenu />
      </div>
    </main>
  )
}
