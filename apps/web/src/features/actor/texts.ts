import { textsOf } from '../../languages/texts'

export const { conversationTexts, cardTexts } = textsOf('actor')
