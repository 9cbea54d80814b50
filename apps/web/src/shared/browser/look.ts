import { Cell } from '../cell'

/** Returns a setting stored in this browser for all accounts. The first value is the default. */
function storedSetting<Value extends string>(name: string, values: readonly [Value, ...Value[]]): Cell<Value> {
  const known = window.localStorage.getItem(keyOf(name))
  return new Cell(values.find((value) => value === known) ?? values[0])
}

const keyOf = (name: string) => `spaces.${name}`

export const theme = storedSetting('theme', ['system', 'light', 'dark'])
/** The line spacing. */
export const density = storedSetting('density', ['comfortable', 'compact'])

/** Applies the settings as attributes, on which the tokens depend, and stores their changes. */
export function applyLook(): void {
  for (const [name, choice] of Object.entries({ theme, density })) {
    const apply = () => {
      document.documentElement.dataset[name] = choice.value
    }
    apply()
    choice.subscribe(() => {
      window.localStorage.setItem(keyOf(name), choice.value)
      apply()
    })
  }
}
