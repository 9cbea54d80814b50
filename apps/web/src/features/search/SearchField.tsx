import { LIMITS } from '@collab-spaces/client'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { edit } from '../../shared/browser/edit'
import { isComposing } from '../../shared/components/composing'
import { TextField } from '../../shared/components/Field'
import { OneLine } from '../../shared/components/Text'
import { useNames } from '../../shared/query/names'
import { useSpaces } from '../../shared/query/space'
import { spaceName } from '../../shared/query/space-name'
import { CandidateList, optionId } from '../composer/CandidateList'
import { candidates } from '../composer/mentions'
import { useCandidates } from '../composer/useCandidates'
import {
  completedOperator,
  datesNear,
  flagsFor,
  namesFor,
  type OpenOperator,
  openOperatorAt,
  type Suggestion,
  suggestionsFor,
} from './operators'
import styles from './SearchPanel.module.css'
import { searchTexts } from './texts'

const MAX_FOUND = 8

interface SearchFieldProps {
  readonly spaceId: string
  readonly words: string
  readonly onChange: (words: string) => void
}

/** The field for a search, which completes its operators. */
export function SearchField({ spaceId, words, onChange }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  const [open, setOpen] = useState<OpenOperator | null>(null)
  const listId = useId()
  const found = useSuggestions(spaceId, open)
  const close = () => setOpen(null)
  const choose = ({ value }: Suggestion) => {
    if (open && field.current) edit(field.current, completedOperator(open, value))
  }
  const { active, restart, onKey } = useCandidates({ found, choose, close })
  const look = ({ value, selectionStart, selectionEnd }: HTMLInputElement) => {
    setOpen(selectionStart === selectionEnd ? openOperatorAt(value, selectionStart ?? value.length) : null)
    restart()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Tab leaves the field: without an operator, what is typed may just be words.
    if (isComposing(event) || event.key === 'Tab' || !onKey(event)) return
    event.preventDefault()
    event.stopPropagation()
  }
  const isOpen = found.length > 0
  return (
    <div className={styles.field}>
      <TextField
        ref={field}
        label={searchTexts.words}
        hint={searchTexts.hint}
        type="search"
        value={words}
        onChange={onChange}
        maxLength={LIMITS.query}
        autoFocus
        aria-autocomplete="list"
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={isOpen ? optionId(listId, active) : undefined}
        onInput={(event) => look(event.currentTarget)}
        onSelect={(event) => look(event.currentTarget)}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      {isOpen && (
        <CandidateList
          {...{ id: listId, found, active }}
          isBelow
          label={searchTexts.suggestions}
          onChoose={choose}
          row={suggestionRow}
        />
      )}
    </div>
  )
}

const suggestionRow = ({ value, label }: Suggestion): ReactNode => (
  <>
    <OneLine className={styles.suggestion}>{value}</OneLine>
    {label !== value && <small>{label}</small>}
  </>
)

function useSuggestions(spaceId: string, open: OpenOperator | null): readonly Suggestion[] {
  const names = useNames(spaceId)
  const { data: spaces } = useSpaces()
  const { dates, operators } = searchTexts
  if (!open) return []
  const { operator, typed } = open
  switch (operator) {
    case null:
      return namesFor(typed).map((value) => ({ value, label: operators[value as keyof typeof operators] }))
    case 'from':
      return peopleFor(names.all, typed)
    case 'in':
      return suggestionsFor(
        (spaces ?? []).map((space) => ({ value: space.space_id, label: spaceName(space) })),
        typed,
        MAX_FOUND,
      )
    case 'has':
    case 'is':
      return flagsFor(operator, typed).map((value) => ({
        value,
        label: operators[`${operator}:${value}` as keyof typeof operators],
      }))
    default: {
      const near = Object.entries(datesNear(Date.now()))
      return suggestionsFor(
        near.map(([name, value]) => ({ value, label: dates[name as keyof typeof dates] })),
        typed,
        MAX_FOUND,
      )
    }
  }
}

/** Returns people before agents, by name, and those with the same name by ID. */
function peopleFor(all: ReturnType<typeof useNames>['all'], typed: string): readonly Suggestion[] {
  const people = all.map(({ actorId, name, kind }) => ({
    participant_id: actorId,
    actor_id: actorId,
    name,
    participant_type: kind,
    is_stopped: false,
  }))
  const found = candidates(people, typed, '')
  const isUnique = (name: string) => people.filter((one) => one.name === name).length === 1
  return found.map(({ actor_id, name }) => ({ value: isUnique(name) ? name : actor_id, label: name }))
}
