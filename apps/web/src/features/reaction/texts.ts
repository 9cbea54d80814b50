import { textsOf } from '../../languages/texts'

export const { reactionTexts } = textsOf('reaction')
