import { Cell } from '../cell'

/** Returns a setting stored in this browser for all accounts. The first value is the default. */
function storedSetting<Value extends string>(name: string, values: readonly [Value, ...Value[]]): Cell<Value> {
  const known = window.localStorage.getItem(keyOf(name))
  const setting = new Cell(values.find((value) => value === known) ?? values[0])
  setting.subscribe(() => window.localStorage.setItem(keyOf(name), setting.value))
  return setting
}

const keyOf = (name: string) => `spaces.${name}`

export const theme = storedSetting('theme', ['system', 'light', 'dark'])
/** The line spacing. */
export const density = storedSetting('density', ['comfortable', 'compact'])
/** The key that sends a message from a physical keyboard. Ctrl+Enter always does. */
export const sendKey = storedSetting('send-key', ['enter', 'ctrlEnter'])

/** Whether composers show the buttons that format. */
export const formatBar = storedSetting('format-bar', ['hidden', 'shown'])

/** Applies the settings of the look as attributes, on which the tokens depend. */
export function applyLook(): void {
  for (const [name, choice] of Object.entries({ theme, density })) {
    const apply = () => {
      document.documentElement.dataset[name] = choice.value
    }
    apply()
    choice.subscribe(apply)
  }
  colourBars()
}

/** Colours the system's bars around the installed page by its theme, which may differ from the system's. */
function colourBars(): void {
  for (const colour of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const { media } = colour
    const apply = () => {
      const isOwn = media.includes(theme.value) ? 'all' : 'not all'
      colour.media = theme.value === 'system' ? media : isOwn
    }
    apply()
    theme.subscribe(apply)
  }
}
