import { textsOf } from '../../languages/texts'

export const { conversationTexts, cardTexts, profileTexts } = textsOf('actor')
