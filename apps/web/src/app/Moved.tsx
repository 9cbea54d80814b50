import { useLocation } from 'wouter'
import { unsentTextsOf } from '../features/composer/unsent'
import { CopyField } from '../shared/components/CopyField'
import { EmptyState } from '../shared/components/EmptyState'
import { useTitle } from '../shared/navigation/title'
import { useSession } from '../shared/session/session'
import styles from './Moved.module.css'
import { AccountMenu } from './menu/AccountMenu'
import { movedTexts } from './menu/texts'

/** The page of an account whose tenant has moved: its new address, and the account's unsent texts. */
export function Moved({ location }: { readonly location: string }) {
  const { actorId } = useSession().account
  // Renders again on navigation, so that the link leads to the current path at the new address.
  useLocation()
  const { pathname, search, hash } = window.location
  const words = movedTexts
  const unsent = unsentTextsOf(actorId)
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
      {unsent.length > 0 && (
        <section className={styles.unsent}>
          <p>{words.unsent}</p>
          {unsent.map(({ spaceId, text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
            <CopyField key={index} label={words.unsentIn(spaceId)} value={text} />
          ))}
        </section>
      )}
      <div className={styles.account}>
        <AccountMenu />
      </div>
    </main>
  )
}
