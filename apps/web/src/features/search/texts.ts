import { textsOf } from '../../languages/texts'

export const { searchTexts } = textsOf('search')
