import { InvalidArgumentError } from '@commander-js/extra-typings'
import { usage } from '../failure.js'

/** An answer that a proposal offers. */
interface DecisionOption {
  readonly id: string
  readonly label: string
}

/** Collects options of the form `id=label`. */
export function optionText(given: string, earlier: DecisionOption[] | undefined): DecisionOption[] {
  const [, id, label] = /^([\w-]+)=(.+)$/.exec(given) ?? []
  if (id === undefined || label === undefined) throw new InvalidArgumentError('It must be an ID, =, and a label.')
  return [...(earlier ?? []), { id, label }]
}

/** Returns options with those marked that permit nothing. */
export function optionsOf(options: readonly DecisionOption[] | undefined, denying: readonly string[] = []) {
  const unknown = denying.find((id) => !options?.some((option) => option.id === id))
  if (unknown !== undefined) throw usage(`--denies ${unknown}: no --option has this ID`)
  return options?.map((option) => ({ ...option, denies: denying.includes(option.id) }))
}
