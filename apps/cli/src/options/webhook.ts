import { InvalidArgumentError, Option } from '@commander-js/extra-typings'

const TYPES = ['events.appended', 'decision.changed', 'attention.raised'] as const
type Type = (typeof TYPES)[number]

export const PAYLOADS = ['thin', 'full'] as const

const isType = (given: string): given is Type => TYPES.some((type) => type === given)

function types(given: string, earlier: Type[] | undefined): Type[] {
  if (!isType(given)) throw new InvalidArgumentError(`Allowed choices are ${TYPES.join(', ')}.`)
  return [...(earlier ?? []), given]
}

/** The payload of a webhook. The choices are for completion; a repeatable option has to check them itself. */
export const typeOption = (otherwise = 'everything') =>
  new Option('--type <type>', `What to send; repeatable (default: ${otherwise})`).choices(TYPES).argParser(types)
