import { textsOf } from '../../languages/texts'

export const { waitingTexts, inboxTexts } = textsOf('inbox')
