import type { Context } from '@collab-spaces/client'
import { clean } from '../terminal/clean.js'

/** As it is: it is not written for people. */
export const oneContext = ({ text }: Context): string => clean(text.trimEnd())
