import { Option } from '@commander-js/extra-typings'
import { listedOf } from './listed.js'

const TYPES = ['events.appended', 'decision.changed', 'attention.raised'] as const
const types = listedOf(TYPES, `Allowed choices are ${TYPES.join(', ')}.`)

/** The payload of a webhook. The choices are for completion; a repeatable option has to check them itself. */
export const typeOption = (otherwise = 'everything') =>
  new Option('--type <type>', `What to send; repeatable (default: ${otherwise})`).choices(TYPES).argParser(types)
