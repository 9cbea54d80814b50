import { textsOf } from '../../languages/texts'

export const { incomingTexts, createIncomingTexts, deliveriesTexts } = textsOf('incoming')
