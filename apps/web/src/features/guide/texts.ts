import { textsOf } from '../../languages/texts'

export const { guideTexts } = textsOf('guide')
