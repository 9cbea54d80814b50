import { Dialog } from '@base-ui/react/dialog'
import { type KeyboardEvent, useId, useState } from 'react'
import { useLocation } from 'wouter'
import { MatchText } from '../../features/search/MatchText'
import { classes } from '../../shared/components/classes'
import { isComposing } from '../../shared/components/composing'
import { Icon } from '../../shared/components/Icon'
import { Poster, PosterAvatar } from '../../shared/components/Poster'
import { texts } from '../../shared/texts'
import { paletteTexts } from '../menu/texts'
import type { Command } from './commands'
import styles from './Palette.module.css'
import { useCommands } from './useCommands'

/** The command palette: a combobox in which arrows select and Enter runs a command. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const words = paletteTexts
  const [openedAt] = useState(() => window.location.href)
  // After a navigation, the focus belongs to the new page, not to the element that opened the palette.
  const restoreFocus = () => {
    if (window.location.href === openedAt) return true
    document.getElementById('content')?.focus({ preventScroll: true })
    return false
  }
  return (
    <Dialog.Root open onOpenChange={(isOpen) => isOpen || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.popup} aria-label={words.title} finalFocus={restoreFocus}>
          <CommandList onClose={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function CommandList({ onClose }: { readonly onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const [, navigate] = useLocation()
  const groups = useCommands(typed)
  const id = useId()
  const words = paletteTexts
  const commands = groups.flatMap(({ commands }) => commands)
  const selected = commands[Math.min(at, commands.length - 1)]
  // An ID in an ARIA reference must not contain spaces.
  const optionId = (command: Command) => `${id}-${command.id.replaceAll(' ', '-')}`

  const run = ({ to }: Command) => {
    onClose()
    if (typeof to === 'string') navigate(to)
    else to()
  }
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && commands.length > 0) {
      event.preventDefault()
      const next = (Math.min(at, commands.length - 1) + step + commands.length) % commands.length
      setAt(next)
      const command = commands[next]
      if (command) document.getElementById(optionId(command))?.scrollIntoView({ block: 'nearest' })
    }
    if (event.key === 'Enter' && selected && !isComposing(event)) {
      event.preventDefault()
      run(selected)
    }
  }
  return (
    <>
      <label className={styles.field}>
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label={words.title}
          aria-expanded="true"
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={selected && optionId(selected)}
          placeholder={words.placeholder}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            setAt(0)
          }}
          onKeyDown={onKey}
        />
        <kbd>Esc</kbd>
      </label>
      <div className={styles.list} id={id} role="listbox" aria-label={words.title}>
        {groups.map(({ title, commands }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options is no fieldset
          <div key={title} role="group" aria-label={title}>
            <div className={styles.title} aria-hidden="true">
              {title}
            </div>
            {commands.map((command) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field has the keys
              <div
                key={command.id}
                id={optionId(command)}
                role="option"
                aria-selected={command === selected}
                className={classes(styles.option, command === selected && styles.selected)}
                onClick={() => run(command)}
              >
                {command.by ? <PosterAvatar of={command.by} size="small" /> : <Icon name={command.icon} size={16} />}
                <span className={classes(styles.label, command.by && styles.said)}>
                  {command.by && <Poster of={command.by} isInLine />}
                  {command.by ? <MatchText snippet={command.label} /> : <bdi>{command.label}</bdi>}
                </span>
                {command.aside && (
                  <small className={styles.aside} dir="auto">
                    {command.aside}
                  </small>
                )}
              </div>
            ))}
          </div>
        ))}
        {commands.length === 0 && <p className={styles.nothing}>{texts.nothingFound}</p>}
      </div>
    </>
  )
}
