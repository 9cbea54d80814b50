import { textsOf } from '../../languages/texts'

export const { summaryTexts } = textsOf('summary')
