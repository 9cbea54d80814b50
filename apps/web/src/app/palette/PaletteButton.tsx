import { keysInWords } from '../../shared/browser/shortcut'
import { Icon } from '../../shared/components/Icon'
import { OneLine } from '../../shared/components/Text'
import { paletteTexts } from '../menu/texts'
import styles from './PaletteButton.module.css'
import { paletteShown } from './PaletteKey'

/** Opens the palette without a keyboard. */
export function PaletteButton() {
  return (
    <button type="button" className={styles.button} onClick={() => paletteShown.set(true)}>
      <Icon name="search" size={16} />
      <OneLine className={styles.words}>{paletteTexts.open}</OneLine>
      <kbd>{keysInWords(paletteTexts.keys)}</kbd>
    </button>
  )
}
