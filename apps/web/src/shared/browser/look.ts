import { Cell } from '../cell'

/** A choice that is kept on this device, for all its accounts; the first value until somebody chooses. */
function kept<Value extends string>(name: string, values: readonly [Value, ...Value[]]): Cell<Value> {
  const known = window.localStorage.getItem(keyOf(name))
  return new Cell(values.find((value) => value === known) ?? values[0])
}

const keyOf = (name: string) => `spaces.${name}`

export const theme = kept('theme', ['system', 'light', 'dark'])
/** How close to each other lines stand. */
export const density = kept('density', ['comfortable', 'compact'])

/** Has the page look as it is chosen, and keeps what is chosen from then on. The tokens follow the attributes. */
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
