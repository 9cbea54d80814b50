import { textsOf } from '../languages/texts'

export const { texts } = textsOf('shared')
