import type { EndedItems } from '@collab-spaces/client'
import styles from './EndedList.module.css'
import { endedTexts } from './texts'

/** Lists what ends, or has ended, with a credential. Renders nothing if empty. */
export function EndedList({ ended, title }: { readonly ended: EndedItems | null | undefined; readonly title: string }) {
  if (!ended || ended.count === 0) return null
  const { count, items } = ended
  const words = endedTexts
  return (
    <div className={styles.ended}>
      <p>{title}</p>
      <ul>
        {items.map(({ kind, id, name }) => (
          <li key={`${kind} ${id}`}>
            {words.kinds[kind]} {name ?? id}
          </li>
        ))}
        {count > items.length && <li>{words.more(count - items.length)}</li>}
      </ul>
    </div>
  )
}
