import { textsOf } from '../../languages/texts'

export const { linksTexts } = textsOf('link')
