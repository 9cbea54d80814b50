import type { Space } from '@collab-spaces/client'
import { hasWords } from '../../shared/components/filter'
import { Icon } from '../../shared/components/Icon'
import { Select } from '../../shared/components/Select'
import { texts } from '../../shared/texts'
import styles from './SpaceFilter.module.css'
import { homeTexts } from './texts'

/** The filter of the list of spaces. */
export interface SpaceFilterValue {
  readonly words: string
  readonly status: Space['status'] | 'any'
}

/** Returns whether a space matches: each word is in its title, name or description. */
export function matchesFilter({ words, status }: SpaceFilterValue, space: Space): boolean {
  if (status !== 'any' && space.status !== status) return false
  return hasWords(`${space.title ?? ''} ${space.space_id} ${space.description}`, words)
}

interface SpaceFilterProps {
  readonly filter: SpaceFilterValue
  readonly onChange: (filter: SpaceFilterValue) => void
}

export function SpaceFilter({ filter, onChange }: SpaceFilterProps) {
  const home = homeTexts
  const spaceStatus = texts.spaceStatus
  return (
    <div className={styles.filter} data-unprinted>
      <label className={styles.search}>
        <Icon name="search" size={16} />
        <input
          type="search"
          aria-label={home.filter}
          placeholder={home.filter}
          value={filter.words}
          onChange={(event) => onChange({ ...filter, words: event.target.value })}
        />
      </label>
      <Select
        className={styles.status}
        aria-label={home.filterStatus}
        value={filter.status}
        options={{ any: home.anyStatus, ...spaceStatus }}
        onChange={(status) => onChange({ ...filter, status })}
      />
    </div>
  )
}
