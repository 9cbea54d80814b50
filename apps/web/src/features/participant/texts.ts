import { textsOf } from '../../languages/texts'

export const { participantsTexts } = textsOf('participant')
